import { CommandError } from "../../sandbox/commands/commands.ts";
import { createGroupOpener } from "../../sandbox/commands/open_group.ts";
import type { ProcessOpener } from "../../sandbox/commands/open_process.ts";
import type { CommandFiles } from "../config/command_files.ts";
import type { Enclosure } from "../enclosure.ts";
import type { EventSink } from "../events.ts";
import type { Launch } from "../launch.ts";
import { redactedAppend, type Redaction } from "../redaction.ts";
import type { Session } from "../session/log.ts";
import type { CallHooks } from "./call_hooks.ts";
import { callHooks } from "./call_hooks.ts";
import { configuredHooks } from "./configured_hooks.ts";
import { Hooks } from "./hooks.ts";
import { type TaskHooks, taskHooks } from "./task_hooks.ts";

/** The hooks of a run, around its calls and its tasks. */
export interface AgentHooks {
  readonly calls: CallHooks;
  readonly tasks: TaskHooks;
}

/** What hooks are opened with. */
export interface OpenHooksParts {
  /** Whose hooks run. */
  readonly files: CommandFiles;
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  readonly session: Session;
  /** Starts programs where those of the model run. */
  readonly opener: Pick<ProcessOpener, "open">;
  readonly redaction: Redaction;
  readonly emit: EventSink;
  readonly warn: (line: string) => void;
  /** Whether this run is a sub-agent. */
  readonly isChild: boolean;
}

/** Joins the hooks of a run to what it has; nothing runs yet. Undefined where none count. */
export function openHooks(parts: OpenHooksParts): AgentHooks | undefined {
  const configured = configuredHooks(parts.files);
  for (const line of configured.warnings) parts.warn(`warning: ${line}`);
  if (configured.hooks.length === 0) return undefined;
  const { launch, enclosure, session, opener, redaction, emit, warn } = parts;
  const { places, environment } = launch;
  const { workspace } = places;
  const group = createGroupOpener({ environment, cwd: () => workspace });
  const hooks = new Hooks({
    hooks: configured.hooks,
    sessionId: session.id,
    transcript: session.path,
    workspace: enclosure.view?.view.workspace ?? workspace,
    opener: enclosure.view ? opener : whereGranted(opener, launch),
    outside: whereGranted(group, launch),
    append: redactedAppend(session, redaction),
    ...{ redaction, emit, warn },
  });
  return { calls: callHooks(hooks), tasks: taskHooks(hooks, parts.isChild) };
}

/** Without a view the flags decide what may be started, also in a binary, which Deno lets do it. */
function whereGranted(
  opener: Pick<ProcessOpener, "open">,
  { grants }: Launch,
): Pick<ProcessOpener, "open"> {
  return {
    open(argv, options) {
      if (grants.allows("run", argv[0])) return opener.open(argv, options);
      const why = `--allow-run=${argv[0]} is not granted`;
      return Promise.reject(new CommandError(`Cannot start a hook: ${why}`));
    },
  };
}
