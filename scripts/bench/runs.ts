import { type TreeMemory, watchTree } from "./process_tree.ts";
import { type Answer, type Turn, zeroLatencyModel } from "./zero_latency_model.ts";

/** How Cordon is started: the words before its own arguments. */
export type CordonCommand = readonly [string, ...string[]];

/** What one run of Cordon came to. */
export interface MeasuredRun {
  /** Start to exit, in milliseconds. */
  readonly wallMs: number;
  readonly peak: TreeMemory;
  readonly turns: readonly Turn[];
  /** Memory when the turn with that number came, by number. */
  readonly memoryAt: ReadonlyMap<number, TreeMemory>;
}

export interface RunOptions {
  readonly args?: readonly string[];
  /** A state folder of earlier runs; by default a new one. */
  readonly state?: string;
  /** Turns at which memory is noted; looking costs time, so only where it is wanted. */
  readonly noteMemoryAt?: readonly number[];
  /** Whether to watch memory at all: watching takes processor time from what is timed. */
  readonly watch?: boolean;
}

/** Runs one task against a model of zero latency, in an empty folder. */
export async function measureRun(
  cordon: CordonCommand,
  answers: readonly Answer[],
  options: RunOptions = {},
): Promise<MeasuredRun> {
  await using model = zeroLatencyModel(answers);
  const folder = await Deno.makeTempDir({ prefix: "cordon-bench-" });
  try {
    await Deno.mkdir(`${folder}/work`);
    const [program, ...before] = cordon;
    const started = performance.now();
    const child = new Deno.Command(program, {
      args: [
        ...before,
        "-p",
        ...["--model", "bench", "--base-url", model.url, "--wire", "chat", "--approval", "all"],
        ...["-C", `${folder}/work`, "--state", options.state ?? `${folder}/state`],
        ...(options.args ?? []),
        "go",
      ],
      clearEnv: true,
      env: environment(),
      stdin: "null",
      stdout: "null",
      stderr: "piped",
      detached: true,
    }).spawn();
    const watch = options.watch ? watchTree(child.pid) : undefined;
    const memoryAt = new Map<number, TreeMemory>();
    model.onTurn = (n) => {
      if (watch && options.noteMemoryAt?.includes(n)) memoryAt.set(n, watch.now());
    };
    const [status, errors] = await Promise.all([child.status, new Response(child.stderr).text()]);
    const wallMs = performance.now() - started;
    const peak = watch?.stop() ?? { pssMb: 0, rssMb: 0 };
    if (!status.success) throw new Error(`A run failed with ${status.code}: ${errors}`);
    return { wallMs, peak, turns: model.turns, memoryAt };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Time of the harness between an answer and the next request, for each turn, in milliseconds. */
export function turnTimes(turns: readonly Turn[]): number[] {
  return turns.slice(1).map((turn, i) => turn.requestAt - (turns[i]?.answeredAt ?? NaN));
}

function environment(): Record<string, string> {
  const names = ["PATH", "HOME", "DENO_DIR", "TMPDIR", "XDG_CACHE_HOME"];
  const known = names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(known), DENO_NO_UPDATE_CHECK: "1" };
}
