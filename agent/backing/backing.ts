import type { Commands } from "../../sandbox/commands/commands.ts";
import { type Job, JobRegistry } from "../../sandbox/commands/jobs.ts";
import type { Shell } from "../../sandbox/commands/shell.ts";
import type { Net } from "../../sandbox/net.ts";
import { bashTool } from "../../tools/bash.ts";
import { jobOutput } from "../../tools/job_output.ts";
import type { ApplyModel } from "../../tools/tool.ts";
import { browserFor } from "../browser/browser_for.ts";
import type { Capabilities } from "../capabilities.ts";
import type { Egress } from "../egress.ts";
import type { Enclosure } from "../enclosure.ts";
import { createJournal } from "./journal.ts";
import { keepsState, type Launch } from "../launch.ts";
import { quarantineOf } from "./quarantine.ts";
import { readerFor } from "../reader/reader_for.ts";
import type { Redaction } from "../redaction.ts";
import type { Session } from "../session/log.ts";
import { createSweeping, type Sweeping } from "./sweeping.ts";
import { cleanStore } from "./clean_store.ts";
import type { FileLayer } from "./file_layer.ts";
import type { Ground } from "./ground.ts";
import { confinedGround } from "./confined_ground.ts";
import { ownGround } from "./own_ground.ts";
import { journalFolder } from "./journal_folder.ts";
import { workspaceIndex } from "./workspace_index.ts";

/** What backs the capabilities of a session, and lets go of it in the end. */
export interface Backing extends AsyncDisposable {
  readonly capabilities: Capabilities;
  readonly shell: Shell;
  readonly jobs: JobRegistry;
  /** Commands of the program's own, which nobody sweeps. */
  readonly commands: Commands;
  readonly sweeping: Sweeping;
  /** Starts what the first tool call will need; called when a call begins to show. */
  prepare(): void;
}

/** What a backing needs of others. */
export interface BackingParts {
  readonly applyModel: ApplyModel | undefined;
  /** How tools reach hosts. */
  readonly net: Net;
  /** What lies over the files; absent: nothing. */
  readonly fileLayer?: FileLayer;
  /** How a browser does. */
  readonly openForBrowser: Egress["openForBrowser"];
  /** Called when a job has begun and when it has ended. */
  readonly onJob: (job: Job) => void;
  readonly logError: (error: unknown) => void;
  /** Learns the secrets of the workspace. */
  readonly redaction: Redaction;
  /** Tells a person what they must not miss. */
  readonly alarm: (line: string) => void;
}

/** Opens what backs the capabilities here: the kernel view, or this process and its children. */
export function openBacking(
  launch: Launch,
  { view, offered, skills, screen, desktop, browser: chosenBrowser }: Enclosure,
  session: Session,
  { applyModel, net, openForBrowser, onJob, logError, redaction, alarm, fileLayer }: BackingParts,
): Backing {
  const ground = view
    ? confinedGround(launch, view, session, { redaction, alarm, logError, skills })
    : ownGround(launch, session, redaction, skills);
  const { shell, commands } = ground;
  const { files, filesUntil } = fileLayer ? layered(ground, fileLayer) : ground;
  const { state, workspace } = launch.places;
  const sweeping = createSweeping({
    ...{ workspace: view?.view.workspace ?? workspace, redaction, alarm },
    ...(ground.sweeper && { sweeper: ground.sweeper }),
    writes: view?.view.profile !== "plan",
    ...(state !== undefined && keepsState(launch) && { quarantine: quarantineOf(state) }),
  });
  const store = cleanStore(ground.store, sweeping, redaction);
  // A resumed session goes on where its shell stood.
  const last = session.conversation.latest(bashTool());
  if (last) shell.moveTo(last.cwd);
  const journal = journalFolder(launch);
  const index = workspaceIndex(launch, view, session, redaction);
  const firstId = session.conversation.lastJob + 1;
  const jobs = new JobRegistry({ firstId, onChange: onJob, logError });
  const reader = readerFor(launch.environment, view);
  // Whoever may not start this program's Deno again is told of images, and not shown any.
  const showsImages = view !== undefined || launch.grants.allows("run", Deno.execPath());
  const showsJobs = offered.some(({ name }) => name === jobOutput.name);
  const browser = browserFor(launch, chosenBrowser, view, openForBrowser);
  return {
    ...{ shell, jobs, commands, sweeping },
    prepare: () => ground.prepare(),
    capabilities: {
      ...{ files, commands: sweeping.commands(commands), store },
      ...(filesUntil && { filesUntil }),
      ...(showsJobs && { jobs }),
      session: session.conversation,
      ...{ net, reader },
      ...(showsImages && { pictures: reader }),
      ...(browser && { browser }),
      ...(screen && { screen }),
      ...(desktop && { desktop }),
      ...(index && { index }),
      ...(journal !== undefined && { journal: createJournal(journal) }),
      ...(applyModel && { model: applyModel }),
    },
    async [Symbol.asyncDispose]() {
      await browser?.[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
      await commands[Symbol.asyncDispose]();
      await sweeping.settled();
      index?.[Symbol.dispose]();
      await ground[Symbol.asyncDispose]();
    },
  };
}

/** The files of a ground with something laid over them, also while a call may be given up. */
function layered(
  { files, filesUntil }: Ground,
  layer: FileLayer,
): Pick<Ground, "files" | "filesUntil"> {
  return {
    files: layer(files),
    filesUntil: (signal) => layer(filesUntil?.(signal) ?? files, signal),
  };
}
