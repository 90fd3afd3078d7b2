import { basename, join } from "node:path";
import { createConfinedFiles } from "../sandbox/cell/confined.ts";
import type { Commands } from "../sandbox/commands/commands.ts";
import type { Net } from "../sandbox/net.ts";
import { createConfinedCommands } from "../sandbox/view/confined_commands.ts";
import { confinedStateFolder } from "../sandbox/view/confined_shell_folder.ts";
import { type Job, JobRegistry } from "../sandbox/commands/jobs.ts";
import type { WriteFiles } from "../sandbox/files/files.ts";
import { createSweeper, type Sweeper } from "../sandbox/sweep/sweeper.ts";
import { createFiles } from "../sandbox/files/guarded_files.ts";
import { removePrivateFolders } from "../sandbox/view/private_folders.ts";
import { privateFolders } from "../sandbox/view/view.ts";
import { createProcessGroupCommands } from "../sandbox/commands/process_group.ts";
import { ripgrepBy } from "../sandbox/files/ripgrep.ts";
import { createShell, type Shell, type StateFolder } from "../sandbox/commands/shell.ts";
import { bashStateFolder, ownStateFolder } from "../sandbox/commands/shell_folder.ts";
import { jobOutput } from "../tools/job_output.ts";
import { bashTool } from "../tools/bash.ts";
import type { Index } from "../tools/rag/index.ts";
import type { ApplyModel, Store } from "../tools/tool.ts";
import type { Capabilities } from "./capabilities.ts";
import { browserFor } from "./browser/browser_for.ts";
import type { Egress } from "./egress.ts";
import type { Enclosure, ProvenView } from "./enclosure.ts";
import { lazyIndex } from "./retrieval/lazy_index.ts";
import { createJournal } from "./journal.ts";
import { extraFolders, keepsState, type Launch } from "./launch.ts";
import { readerFor } from "./reader/reader_for.ts";
import { quarantineOf } from "./quarantine.ts";
import type { Redaction } from "./redaction.ts";
import { recoverJournals } from "./recover_journals.ts";
import { recoveryText } from "./recovery_text.ts";
import type { Session } from "./session/log.ts";
import type { SkillReach } from "./skills/skill_reach.ts";
import { usingState } from "./state_error.ts";
import { createSweeping, type Sweeping } from "./sweeping.ts";

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

/** What the tools act on, whether confined or not. */
interface Ground extends AsyncDisposable {
  readonly shell: Shell;
  readonly commands: Commands & AsyncDisposable;
  readonly files: WriteFiles;
  readonly filesUntil?: (signal: AbortSignal) => WriteFiles;
  readonly store: Store;
  /** Absent where this process may not look at the workspace. */
  readonly sweeper?: Sweeper;
  prepare(): void;
}

/** What a backing needs of others. */
export interface BackingParts {
  readonly applyModel: ApplyModel | undefined;
  /** How tools reach hosts. */
  readonly net: Net;
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
  { applyModel, net, openForBrowser, onJob, logError, redaction, alarm }: BackingParts,
): Backing {
  const ground = view
    ? confinedGround(launch, view, session, { redaction, alarm, logError, skills })
    : ownGround(launch, session, redaction, skills);
  const { shell, commands, files, filesUntil } = ground;
  const { state, workspace } = launch.places;
  const sweeping = createSweeping({
    ...{ workspace: view?.view.workspace ?? workspace, redaction, alarm },
    ...(ground.sweeper && { sweeper: ground.sweeper }),
    writes: view?.view.profile !== "plan",
    ...(state !== undefined && keepsState(launch) && { quarantine: quarantineOf(state) }),
  });
  const store = withoutSecrets(ground.store, sweeping, redaction);
  // A resumed session goes on where its shell stood.
  const last = session.conversation.latest(bashTool());
  if (last) shell.moveTo(last.cwd);
  const journal = journalFolder(launch);
  const index = indexFor(launch, view, session, redaction);
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

/** Lists that are too long to be shown are kept without secrets; images as they are. */
function withoutSecrets(store: Store, sweeping: Sweeping, redaction: Redaction): Store {
  return {
    async save(name, bytes) {
      if (!name.endsWith(".txt")) return await store.save(name, bytes);
      await sweeping.ready();
      const clean = redaction.redact(new TextDecoder().decode(bytes));
      return await store.save(name, new TextEncoder().encode(clean));
    },
  };
}

/** Everything that a tool touches lies in the view; this process touches none of it. */
function confinedGround(
  launch: Launch,
  proven: ProvenView,
  session: Session,
  { redaction, alarm, logError, skills }:
    & Pick<BackingParts, "redaction" | "alarm" | "logError">
    & Pick<Enclosure, "skills">,
): Ground {
  const { places } = launch;
  const { view, filter, programs } = proven;
  const confirmed = proven.confirmed.then((why) => {
    if (why !== undefined) alarm(`warning: the kernel view does not hold any more: ${why}`);
  }, logError);
  const shell = createShell({
    workspace: view.workspace,
    state: confinedStateFolder(view.shellFolder),
  });
  const watched = [places.workspace, ...(places.state === undefined ? [] : [places.state])];
  const clean = () => redaction.cleanStream();
  const commands = createConfinedCommands({ view, filter, shell, watched, clean });
  const out = view.outFolder?.seen;
  const store: Store = {
    async save(name, bytes) {
      const saved = await session.blobs.save(name, bytes);
      return saved === undefined || out === undefined ? undefined : join(out, basename(saved));
    },
  };
  if (view.profile === "container") {
    // The outer box is the boundary, for files too.
    const files = guardedFiles(launch, session, shell, skills, undefined);
    // The filter lets nobody set set-id bits.
    const sweeper = createSweeper(view.workspace, { setIds: false });
    const nothing = { prepare() {}, [Symbol.asyncDispose]: () => confirmed };
    return { shell, commands, files, store, sweeper, ...nothing };
  }
  const files = createConfinedFiles({
    ...{ view, filter },
    roots: {
      workspace: view.workspace,
      ...(out !== undefined && { session: out }),
      ...extraRoots(launch, skills),
    },
    ...(places.home !== undefined && { home: places.home }),
    ripgrep: programs.includes("rg"),
    cwd: () => shell.cwd,
    state: places.state ?? "",
  });
  return {
    ...{ shell, commands, files, store, sweeper: files.sweeper },
    filesUntil: (signal) => files.abortedBy(signal),
    prepare: () => files.start(),
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]();
      await confirmed;
      // Without a log nothing goes on from here, so HOME and /tmp of the commands go, too.
      if (session.folder !== undefined || places.state === undefined) return;
      await removePrivateFolders(privateFolders(places.state, session.id));
    },
  };
}

/** Without a view: files behind a guard in this process, commands as process groups. */
function ownGround(
  launch: Launch,
  session: Session,
  redaction: Redaction,
  skills: SkillReach,
): Ground {
  const { places, environment, grants } = launch;
  const { folder } = session;
  const temporary = folder === undefined ? bashStateFolder(environment) : undefined;
  const state: StateFolder = temporary ?? ownStateFolder(join(folder ?? "", "shell"));
  const shell = createShell({ workspace: places.workspace, state });
  const clean = () => redaction.cleanStream();
  const commands = createProcessGroupCommands({ shell, environment, spillFolder: folder, clean });
  const search = grants.allows("run", "rg") ? commands : undefined;
  return {
    ...{ shell, commands },
    files: guardedFiles(launch, session, shell, skills, search),
    store: session.blobs,
    ...(grants.allows("read", places.workspace) && { sweeper: createSweeper(places.workspace) }),
    prepare() {},
    async [Symbol.asyncDispose]() {
      await temporary?.[Symbol.asyncDispose]();
    },
  };
}

function guardedFiles(
  launch: Launch,
  session: Session,
  shell: Shell,
  skills: SkillReach,
  search: Commands | undefined,
): WriteFiles {
  const { places } = launch;
  return createFiles({
    roots: {
      workspace: places.workspace,
      ...(session.folder !== undefined && { session: session.folder }),
      ...extraRoots(launch, skills),
    },
    cwd: () => shell.cwd,
    ...(places.home !== undefined && { home: places.home }),
    ...(search && { search: ripgrepBy(search) }),
  });
}

function extraRoots({ grants, places }: Launch, { folders }: SkillReach) {
  return {
    extraRead: [...extraFolders(grants, "read", places), ...folders],
    extraWrite: extraFolders(grants, "write", places),
  };
}

/**
 * Ends the changes of several files in which an earlier process died; resolves to what a person
 * should know of them.
 */
export async function recoverChanges(
  launch: Launch,
  { offered }: Enclosure,
  { capabilities }: Backing,
): Promise<string[]> {
  const folder = journalFolder(launch);
  if (folder === undefined || !offered.some(({ needs }) => needs.write)) return [];
  return recoveryText(
    await usingState(folder, () => recoverJournals(folder, capabilities.files)),
  );
}

/** What can be searched of the workspace; undefined where nothing is kept. */
function indexFor(
  launch: Launch,
  view: ProvenView | undefined,
  session: Session,
  redaction: Redaction,
): (Index & Disposable) | undefined {
  const { places: { state, sessions, workspace }, settings: { embeddings } } = launch;
  // Who keeps no log leaves nothing behind.
  if (session.folder === undefined || state === undefined || sessions === undefined) {
    return undefined;
  }
  if (!keepsState(launch)) return undefined;
  return lazyIndex({
    folder: join(state, "index"),
    workspace: view?.view.workspace ?? workspace,
    sessions: { folder: sessions, workspace: session.header.cwd, current: session.id },
    redact: (text) => redaction.redact(text),
    ...(embeddings && { embeddings }),
  });
}

/** Where changes of several files are noted before they are made; undefined: nowhere. */
function journalFolder(launch: Launch): string | undefined {
  const { state } = launch.places;
  return state !== undefined && keepsState(launch) ? join(state, "journal") : undefined;
}
