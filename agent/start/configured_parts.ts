import { isConfined } from "../../sandbox/rights/tier.ts";
import type { EgressEvent } from "../../sandbox/egress/events.ts";
import type { Backing } from "../backing/backing.ts";
import { type CommandFiles, commandFiles, settingIn } from "../config/command_files.ts";
import type { EditChecks } from "../edit_checks/edit_checks.ts";
import type { Enclosure } from "../enclosure.ts";
import type { ReadVariable } from "../environment.ts";
import type { AgentHooks } from "../hooks/open_hooks.ts";
import type { Launch } from "../launch.ts";
import type { ForeignTools } from "../mcp/foreign_tools.ts";
import { namesServers } from "../mcp/servers.ts";
import type { Redaction } from "../redaction.ts";
import type { Session } from "../session/log.ts";
import type { Audience } from "./audience.ts";

/** What few runs have, as a person or a project configured it. */
export interface ConfiguredParts {
  readonly hooks?: AgentHooks;
  /** Tools, resources and prompts of MCP servers. */
  readonly foreign?: ForeignTools;
  /** Formatters and diagnostics after edits. */
  readonly edits?: EditChecks;
}

/** What they are opened with. */
export interface ConfiguredPartsNeeds {
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  readonly backing: Backing;
  readonly session: Session;
  readonly audience: Audience;
  readonly env: ReadVariable;
  readonly redaction: Redaction;
  readonly logEgress: (event: EgressEvent) => void;
}

/** Opens what is configured of them; the code of each is loaded only then. `foreign` is to be disposed. */
export async function openConfiguredParts(needs: ConfiguredPartsNeeds): Promise<ConfiguredParts> {
  const { launch, enclosure, audience, backing } = needs;
  const own = commandFiles(launch.configuration, isConfined(enclosure.rights.confinement));
  for (const line of own.warnings) audience.note(`warning: ${line}`);
  const hooks = await hooksOf(own, needs);
  const edits = await editChecksOf(own, enclosure, backing);
  // Last, so that nothing can fail once servers run.
  const foreign = await serversOf(needs);
  return { ...(hooks && { hooks }), ...(foreign && { foreign }), ...(edits && { edits }) };
}

async function hooksOf(
  own: CommandFiles,
  { launch, enclosure, backing, session, audience, redaction }: ConfiguredPartsNeeds,
): Promise<AgentHooks | undefined> {
  const configured = [...own.ofProject, ...own.ofPerson].some(({ config }) => config.hooks);
  if (!configured) return undefined;
  const { openHooks } = await import("../hooks/open_hooks.ts");
  return openHooks({
    ...{ files: own, launch, enclosure, session, redaction },
    opener: backing.capabilities.commands,
    emit: audience.emit,
    warn: audience.note,
    isChild: audience.child !== undefined,
  });
}

async function serversOf(
  { launch, enclosure, backing, audience, env, redaction, logEgress }: ConfiguredPartsNeeds,
): Promise<ForeignTools | undefined> {
  // A sub-agent has what its parent asks for itself.
  const { servers: brought = [], child } = audience;
  const none = brought.length === 0 && !namesServers(launch.configuration);
  if (none || child) return undefined;
  const { openServers } = await import("../mcp/open_servers.ts");
  return openServers({
    ...{ launch, enclosure, backing, env, redaction, brought },
    warn: (line) => audience.note(`warning: ${line}`),
    log: logEgress,
  });
}

async function editChecksOf(
  own: CommandFiles,
  { rights, view }: Enclosure,
  { capabilities, shell }: Backing,
): Promise<EditChecks | undefined> {
  const format = settingIn(own, "format") ?? [];
  const diagnostics = settingIn(own, "diagnostics") ?? [];
  if (format.length + diagnostics.length === 0) return undefined;
  const { openEditChecks } = await import("../edit_checks/edit_checks.ts");
  const { files, commands } = capabilities;
  const workspace = view?.view.workspace ?? rights.workspace;
  return openEditChecks({ format, diagnostics, files, commands, workspace, cwd: () => shell.cwd });
}
