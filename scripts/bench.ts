import { join, resolve } from "node:path";
import { benchCell } from "./bench/cell.ts";
import { benchEdit } from "./bench/edit.ts";
import { type CordonCommand, type MeasuredRun, measureRun, turnTimes } from "./bench/runs.ts";
import { markdownTable, type Row, spreadOf } from "./bench/statistics.ts";
import type { Answer } from "./bench/zero_latency_model.ts";

const ROOT = resolve(import.meta.dirname ?? ".", "..");

/** Runs of each kind; medians are quoted. */
const RUNS = 9;

/** Measures Cordon (the binary where it is built, else from source) and prints the table. */
async function main(): Promise<void> {
  const cordon = await findCordon();
  console.log(await machineLine(cordon));
  const rows = [...await measureAnswers(cordon), ...await measureLongRun(cordon)];
  console.log(markdownTable([...rows, ...await benchCell(), ...await editRows()]));
}

async function findCordon(): Promise<CordonCommand> {
  const binary = join(ROOT, "dist", "cordon");
  try {
    await Deno.stat(binary);
    return [binary];
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return [Deno.execPath(), "run", "-A", "--cached-only", join(ROOT, "main.ts")];
  }
}

async function machineLine(cordon: CordonCommand): Promise<string> {
  const cpu = /model name\s*:\s*(.*)/.exec(await Deno.readTextFile("/proc/cpuinfo"))?.[1] ?? "?";
  const gib = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  const form = cordon.length === 1 ? "binary" : "from source";
  return `${navigator.hardwareConcurrency} x ${cpu}, ${gib} GiB, Linux ${Deno.osRelease()}, ` +
    `Deno ${Deno.version.deno}, ${form}; medians of ${RUNS} interleaved runs, ` +
    `load ${Deno.loadavg()[0]?.toFixed(1)} before them`;
}

const TEXT: readonly Answer[] = [{ text: "done" }];
const TURNS: readonly Answer[] = [...Array(20).fill({ command: "true" }), { text: "done" }];
const FLOOD: readonly Answer[] = [
  { command: "head -c 50000000 /dev/zero | tr '\\0' 'x' | fold -w 99" },
  { text: "done" },
];
const SLEEPERS: readonly Answer[] = [
  { command: "sleep 1000 & sleep 1000 >/dev/null 2>&1 & echo started" },
  { text: "done" },
];

/** The parent waits from its second request on, so that the third one is the sub-agent's. */
const CHILD: readonly Answer[] = [
  { tool: "subagent", arguments: { prompt: "go", role: "implement" } },
  { tool: "subagent_wait", arguments: {} },
  { text: "done" },
  { text: "done" },
];
const WITH_CHILDREN = ["--tools=+subagents"];

/** Without a view, as on a machine that has none. */
const OFF = ["--profile", "off"];

async function measureAnswers(cordon: CordonCommand): Promise<Row[]> {
  const state = await Deno.makeTempDir({ prefix: "cordon-bench-" });
  const kinds = {
    first: () => measureRun(cordon, TEXT),
    later: () => measureRun(cordon, TEXT, { state }),
    off: () => measureRun(cordon, TEXT, { state, args: OFF }),
    turns: () => measureRun(cordon, TURNS, { state }),
    turnsOff: () => measureRun(cordon, TURNS, { state, args: OFF }),
    watched: () => measureRun(cordon, TEXT, { state, watch: true }),
    watchedTurns: () => measureRun(cordon, TURNS, { state, watch: true }),
    floods: () => measureRun(cordon, FLOOD, { state, watch: true }),
    sleepers: () => measureRun(cordon, SLEEPERS, { state }),
    child: () => measureRun(cordon, CHILD, { state, args: WITH_CHILDREN }),
    childOff: () => measureRun(cordon, CHILD, { state, args: [...WITH_CHILDREN, ...OFF] }),
  };
  try {
    // One run of each kind, not counted: caches fill.
    for (const run of Object.values(kinds)) await run();
    const runs = await interleaved(kinds);
    const walls = (of: readonly MeasuredRun[]) => of.map((run) => run.wallMs);
    const perTurn = (of: readonly MeasuredRun[]) =>
      of.flatMap((run) => turnTimes(run.turns).slice(1));
    const pss = (of: readonly MeasuredRun[]) => of.map((run) => run.peak.pssMb);
    return [
      row("start to exit, text answer, in a new state folder", "ms", walls(runs.first), "150 ms"),
      row("start to exit, text answer", "ms", walls(runs.later), "150 ms"),
      row("start to exit, text answer, without a view", "ms", walls(runs.off), "150 ms"),
      row("peak memory, text answer (PSS)", "MB", pss(runs.watched), "90 MB"),
      row("peak memory, text answer (RSS)", "MB", runs.watched.map((run) => run.peak.rssMb), ""),
      row("peak memory, 20 turns, with the cell (PSS)", "MB", pss(runs.watchedTurns), "125 MB"),
      row("harness time per turn with `true`", "ms", perTurn(runs.turns), "14 ms"),
      row("the same without a view", "ms", perTurn(runs.turnsOff), "9 ms"),
      row("peak memory, command printing 50 MB (PSS)", "MB", pss(runs.floods), "120 MB"),
      row(
        "a command that leaves sleepers",
        "ms",
        runs.sleepers.map((run) => turnTimes(run.turns)[0] ?? NaN),
        "100 ms",
      ),
      row("call of a sub-agent to its first request", "ms", childStarts(runs.child), "200 ms"),
      row("the same without a view", "ms", childStarts(runs.childOff), "200 ms"),
      row(
        "first request",
        "bytes",
        runs.first.map((run) => run.turns[0]?.requestBytes ?? NaN),
        "8000 bytes",
      ),
    ];
  } finally {
    await Deno.remove(state, { recursive: true });
  }
}

function childStarts(runs: readonly MeasuredRun[]): number[] {
  return runs.map(({ turns: [call, , child] }) =>
    (child?.requestAt ?? NaN) - (call?.answeredAt ?? NaN)
  );
}

/** {@linkcode RUNS} runs of each kind, in turn, so that what the machine does besides meets all alike. */
async function interleaved<K extends string>(
  kinds: Readonly<Record<K, () => Promise<MeasuredRun>>>,
): Promise<Record<K, MeasuredRun[]>> {
  const names = Object.keys(kinds) as K[];
  const runs = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    K,
    MeasuredRun[]
  >;
  for (let i = 0; i < RUNS; i++) {
    for (const name of names) runs[name].push(await kinds[name]());
  }
  return runs;
}

/** Turns at the start and at the end that are compared; the first few are warm-up. */
const WINDOW = 40;
const LONG = 200;

async function measureLongRun(cordon: CordonCommand): Promise<Row[]> {
  const answers: Answer[] = [
    ...Array.from({ length: LONG }, (_, i) => ({ command: `echo turn ${i}` })),
    { text: "done" },
  ];
  const growths: number[] = [];
  const memory: number[] = [];
  for (let i = 0; i < 3; i++) {
    const times = turnTimes((await measureRun(cordon, answers)).turns).slice(5);
    const early = spreadOf(times.slice(0, WINDOW)).median;
    const late = spreadOf(times.slice(-WINDOW)).median;
    growths.push((late / early - 1) * 100);
    const marks = [20, LONG];
    const { memoryAt } = await measureRun(cordon, answers, { watch: true, noteMemoryAt: marks });
    const [before = NaN, after = NaN] = marks.map((n) => memoryAt.get(n)?.pssMb);
    memory.push((after / before - 1) * 100);
  }
  return [
    row("200 turns: growth of time per turn", "%", growths, "10 %"),
    row("200 turns: growth of memory (PSS)", "%", memory, "10 %"),
  ];
}

async function editRows(): Promise<Row[]> {
  return (await benchEdit()).map(({ name, ms, targetMs }) => ({
    what: name,
    unit: "ms",
    spread: { min: ms, median: ms, max: ms },
    mark: targetMs === undefined ? "" : `under ${targetMs} ms`,
  }));
}

function row(what: string, unit: string, values: readonly number[], mark: string): Row {
  return { what, unit, spread: spreadOf(values), mark: mark && `under ${mark}` };
}

if (import.meta.main) await main();
