import type { Commands } from "../../sandbox/commands/commands.ts";
import { pythonTool } from "../../tools/python.ts";
import { type Row, spreadOf } from "./statistics.ts";

const CELLS = 200;

/** Measures a cell of the tool `python` in a running interpreter; none where there is no Python. */
export async function benchPython(commands: Commands): Promise<Row[]> {
  const found = await commands.run(["bash", "-c", "type -P python3"], { timeoutMs: 60_000 });
  if (found.exitCode !== 0) return [];
  const tool = pythonTool();
  const context = {
    ...{ callId: "bench", signal: new AbortController().signal, progress() {}, commands },
    store: { save: () => Promise.resolve(undefined) },
    calls: { tools: [], call: () => Promise.resolve({ ok: false as const, problem: "" }) },
  };
  const times: number[] = [];
  // The first one starts the interpreter.
  for (let cell = 0; cell <= CELLS; cell++) {
    const started = performance.now();
    await tool.run({ code: "1+1" }, context, { touches: [] });
    if (cell > 0) times.push(performance.now() - started);
  }
  return [{ what: "Python cell `1+1`", unit: "ms", spread: spreadOf(times), mark: "3 ms" }];
}
