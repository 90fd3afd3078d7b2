import { basename, join, resolve } from "node:path";
import { errorCode } from "../../sandbox/files/system_errors.ts";
import { removeTree } from "../../sandbox/files/remove_tree.ts";
import type { OptionValues } from "../command_line/options.ts";
import { type Invocation, UsageError } from "../command_line/parse.ts";
import { EXIT } from "../exit_code.ts";
import { interruptionOf } from "../interruption.ts";
import { findPlaces, type Places } from "../places.ts";
import { compareCalls, type Comparison } from "../replay/compare.ts";
import { bringBack, copyWorkspace } from "../replay/copy_workspace.ts";
import { type LoadedLog, loadLog } from "../replay/load_recording.ts";
import { pathSwap } from "../replay/paths.ts";
import { type Recording, recordingOf } from "../replay/recording.ts";
import { replay } from "../replay/replay.ts";
import type { Host } from "./headless.ts";
import { visible, visibleLine } from "./visible.ts";
import { onSignals } from "./signals.ts";

/** The folders of one replay. */
interface Stage {
  /** Around all of them. */
  readonly folder: string;
  /** The copy. */
  readonly workspace: string;
  readonly state: string;
}

/**
 * `cordon replay SESSION`: plays a recorded session in a copy of its workspace, and tells where what
 * its tools answer differs. Resolves to the exit code: 0 where all is the same, 1 where it is not.
 * @throws {UsageError}
 * @throws {SessionLogError} where its log cannot be read.
 */
export async function runReplay({ options, operands }: Invocation, host: Host): Promise<number> {
  const [word, ...more] = operands;
  if (word === undefined || more.length > 0) {
    throw new UsageError("Cannot replay: name one session, as cordon replay ID, or its export");
  }
  const note = (line: string) => host.streams.stderr.write(`${visibleLine(line)}\n`);
  const own = findPlaces(options, host.env, host.cwd);
  const file = resolve(host.cwd, word);
  const loaded = await loadLog(word, { file, sessions: own.sessions });
  for (const problem of loaded.problems.slice(0, MAX_PROBLEMS)) {
    note(`warning: damaged: ${problem}`);
  }
  const recording = recordingOf(loaded.log);
  if (recording.steps.length === 0) {
    throw new UsageError(`Cannot replay session ${recording.id}: it holds no answer of a model`);
  }
  const places = placesOf(recording, options, host);

  const stop = new AbortController();
  using _signals = onSignals({
    interrupt: (reason) => stop.abort(reason),
    quit: ({ exitCode }) => host.exit(exitCode),
  });
  const stage = await setStage(places);
  try {
    await furnish(stage, { recording, places, loaded, note }, stop.signal);
    const results = await replay({
      ...{ recording, options, env: host.env, cwd: host.cwd, note },
      workspace: stage.workspace,
      state: stage.state,
      trusted: loaded.isOurs,
    }, stop.signal);
    if (stop.signal.aborted) return interruptionOf(stop.signal).exitCode;
    const comparisons = compareCalls(recording, results, naming(recording, own, stage));
    const asJson = (options["output-format"] ?? "text") !== "text";
    const shown = { id: recording.id, comparisons, ...(options.keep && { kept: stage.folder }) };
    host.streams.stdout.write(asJson ? jsonReport(shown) : textReport(shown));
    return comparisons.some(({ outcome }) => outcome.kind === "different")
      ? EXIT.failed
      : EXIT.done;
  } catch (error) {
    if (stop.signal.aborted) return interruptionOf(stop.signal).exitCode;
    throw error;
  } finally {
    if (!options.keep) await strike(stage, note);
  }
}

/** How many damaged lines are told one by one. */
const MAX_PROBLEMS = 20;

/** Where the files are: in the folder of `-C`, else where they were. */
function placesOf(
  { cwd, id }: Recording,
  options: OptionValues,
  { env, cwd: here }: Host,
): Places {
  if (options.cd !== undefined) return findPlaces(options, env, here);
  try {
    return findPlaces({ ...options, cd: cwd }, env, here);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(
      `Cannot replay session ${id}: its folder "${cwd}" cannot be used here, name another by -C`,
    );
  }
}

async function setStage({ workspace }: Places): Promise<Stage> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cordon-replay-" }));
  return {
    folder,
    workspace: join(folder, "work", basename(workspace)),
    state: join(folder, "state"),
  };
}

/** What a stage is furnished from. */
interface Furniture {
  readonly recording: Recording;
  readonly places: Places;
  readonly loaded: LoadedLog;
  readonly note: (line: string) => void;
}

/** Copies the workspace, and brings it to what it was before the session changed anything. */
async function furnish(
  { folder, workspace: to }: Stage,
  { recording, places, loaded, note }: Furniture,
  signal: AbortSignal,
): Promise<void> {
  const { workspace: from, state } = places;
  const except = [folder, ...state === undefined ? [] : [state]];
  await Deno.mkdir(join(folder, "work"), { mode: 0o700 });
  for (const { path, why } of await copyWorkspace({ from, to, except }, signal)) {
    note(`not copied: ${path}: ${why}`);
  }
  const { tree, id: session, cwd } = recording;
  if (tree === undefined || state === undefined || !loaded.isOurs || from !== cwd) return;
  const earlier = { tree, workspace: cwd, state, session, scratch: join(folder, "scratch") };
  const kept = await bringBack(to, earlier, signal);
  if (typeof kept === "string") note(`warning: ${kept}`);
  else for (const { path, why } of kept) note(`warning: ${path} is not as it was: ${why}`);
}

/** Takes the copy away; what its own modes protect from that stays, and is named. */
async function strike({ folder }: Stage, note: (line: string) => void): Promise<void> {
  try {
    await removeTree(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    note(`warning: ${folder} could not be removed`);
  }
}

/** The places of both runs by the same names. */
function naming({ cwd, id }: Recording, { state }: Places, stage: Stage) {
  const place = (path: string | undefined, name: string) =>
    path === undefined ? (text: string) => text : pathSwap(path, name);
  const swaps = (paths: readonly ((text: string) => string)[]) => (text: string) =>
    paths.reduce((result, swap) => swap(result), text);
  return {
    recorded: swaps([
      place(state && join(state, "sessions", id), "<session>"),
      place(cwd, "<workspace>"),
      place(state, "<state>"),
    ]),
    replayed: swaps([
      (text) => text.replaceAll(sessionFolder(stage.state), () => "<session>"),
      place(stage.workspace, "<workspace>"),
      place(stage.state, "<state>"),
    ]),
  };
}

/** The folder of whatever session the replay made. */
function sessionFolder(state: string): RegExp {
  const escaped = join(state, "sessions").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(String.raw`${escaped}/[\w-]+(?![\w.-]*\.jsonl)`, "g");
}

/** What is told at the end. */
interface Report {
  readonly id: string;
  readonly comparisons: readonly Comparison[];
  /** The folder that is kept. */
  readonly kept?: string;
}

function textReport({ id, comparisons, kept }: Report): string {
  const lines = comparisons.flatMap(({ callId, name, outcome }) => {
    switch (outcome.kind) {
      case "same":
        return [];
      case "different":
        return [`different: ${visibleLine(name)} (${visibleLine(callId)})`, visible(outcome.diff)];
      case "not_compared":
        return [`not compared: ${visibleLine(name)} (${visibleLine(callId)}): ${outcome.why}`];
    }
  });
  const count = (kind: Comparison["outcome"]["kind"]) =>
    comparisons.filter(({ outcome }) => outcome.kind === kind).length;
  const others = count("not_compared");
  const total = comparisons.length;
  return [
    ...lines,
    `Session ${id}: ${total} ${total === 1 ? "call" : "calls"}, ${count("same")} the same, ` +
    `${count("different")} different${others > 0 ? `, ${others} not compared` : ""}`,
    ...(kept === undefined ? [] : [`Kept: ${kept}`]),
    "",
  ].join("\n");
}

function jsonReport({ id, comparisons, kept }: Report): string {
  const calls = comparisons.map(({ callId: call_id, name, outcome: { kind, ...rest } }) => ({
    ...{ call_id, name, outcome: kind },
    ...rest,
  }));
  return `${JSON.stringify({ type: "replay", session_id: id, calls, ...(kept && { kept }) })}\n`;
}
