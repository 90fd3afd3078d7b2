import { readElement } from "./element.ts";
import { indexesOf } from "./index_ranges.ts";
import { linesOf } from "./ledger.ts";
import { LineFile } from "./line_file.ts";
import type { OutFolder } from "./out_folder.ts";
import { isFinal, type KnownResult } from "./result.ts";
import { type BatchSummary, Tally } from "./tally.ts";
import type { TasksSurvey } from "./tasks_file.ts";

/**
 * Merges the results of elements into the file of results, and resolves to what they came to. To be
 * done again after more of them have ended: what an element says goes before what was merged earlier,
 * and nothing is there twice.
 * @throws {BatchError} where a file cannot be read or written.
 */
export async function collectElements(
  out: OutFolder,
  { digests, count }: TasksSurvey,
  note: (line: string) => void,
): Promise<BatchSummary> {
  const began = performance.now();
  const tally = new Tally();
  const final = new Set<string>();
  let spentUsd = 0;
  const take = (result: KnownResult) => {
    spentUsd += result.usage.cost_usd ?? 0;
    if (!digests.has(result.id)) return;
    tally.addEarlier({ id: result.id, reason: result.reason, exitCode: result.exit_code });
    if (isFinal(result)) final.add(result.id);
  };
  await LineFile.rewrite(out.results, async (file) => {
    const covered = new Set<string>();
    for await (const { result } of elementsOf(out, digests, note)) covered.add(result.id);
    for await (const { line, result } of linesOf(out.results, note)) {
      if (covered.has(result.id)) continue;
      file.add(line);
      take(result);
    }
    for await (const { line, result } of elementsOf(out, digests, () => {})) {
      file.add(line);
      take(result);
    }
  });
  return tally.summary({
    tasks: count,
    spent_usd: spentUsd,
    duration_ms: Math.round(performance.now() - began),
    results: out.results,
    left: indexesOf(digests, (id) => !final.has(id)),
  }, undefined);
}

/** The results of elements in the order of the tasks, one at a time. */
async function* elementsOf(
  out: OutFolder,
  digests: TasksSurvey["digests"],
  note: (line: string) => void,
) {
  let index = 0;
  for (const id of digests.keys()) {
    const own = await readElement(out, index);
    if (own?.result.id === id) yield own;
    else if (own) {
      note(`warning: The result of element ${index} is that of "${own.result.id}", not of "${id}"`);
    }
    index++;
  }
}
