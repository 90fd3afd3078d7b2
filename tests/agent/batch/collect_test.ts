import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { collectElements } from "../../../agent/batch/collect.ts";
import { takeOutFolder } from "../../../agent/batch/out_folder.ts";
import type { TaskResult } from "../../../agent/batch/result.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";
import { result, TRY_LATER } from "./results.ts";

const SURVEY = {
  count: 4,
  warnings: [],
  digests: new Map(["a", "b", "c", "d"].map((id) => [id, `digest-${id}`])),
};

async function collect(dir: TempDir) {
  using taken = takeOutFolder(dir.path, "alone");
  const notes: string[] = [];
  const summary = await collectElements(taken.out, SURVEY, (line) => notes.push(line));
  const results = await Deno.readTextFile(taken.out.results);
  const ids = results.split("\n").slice(0, -1).map((line) => JSON.parse(line).id);
  return { summary, notes, ids };
}

function line(one: TaskResult): string {
  return `${JSON.stringify(one)}\n`;
}

Deno.test("collectElements() merges what elements came to, as often as it is asked", async () => {
  await using dir = await tempDir({
    "elements/0.json": line(result("a")),
    "elements/2.json": line(result("c", { reason: "failed", exit_code: 1, error: "no" })),
    "elements/2.lock": "",
    "elements/3.json.draft": line(result("d")),
  });
  for (let time = 1; time <= 2; time++) {
    const { summary, notes, ids } = await collect(dir);
    deepStrictEqual([ids, notes], [["a", "c"], []]);
    const { exit_code, tasks, done, failed, left, left_indexes, reasons, spent_usd } = summary;
    deepStrictEqual(
      { exit_code, tasks, done, failed, left, left_indexes, reasons, spent_usd },
      {
        ...{ exit_code: 1, tasks: 4, done: 1, failed: 1, left: 2, left_indexes: "1,3" },
        ...{ reasons: { done: 1, failed: 1 }, spent_usd: 1 },
      },
    );
  }
});

Deno.test("collectElements() lets an element go before what was merged earlier", async () => {
  await using dir = await tempDir({
    "results.jsonl": line(result("a", TRY_LATER)) + line(result("b")),
    "elements/0.json": line(result("a")),
  });
  const { summary, ids } = await collect(dir);
  deepStrictEqual([ids, summary.done, summary.failed], [["b", "a"], 2, 0]);
});

Deno.test("collectElements() counts what may go well later as left", async () => {
  await using dir = await tempDir({ "elements/1.json": line(result("b", TRY_LATER)) });
  const { summary } = await collect(dir);
  deepStrictEqual([summary.left_indexes, summary.exit_code], ["0-3", 75]);
});

Deno.test("collectElements() takes no result for a task that it is not of", async () => {
  await using dir = await tempDir({
    "elements/0.json": line(result("z")),
    "elements/1.json": "torn",
  });
  const { summary, notes, ids } = await collect(dir);
  deepStrictEqual([ids, summary.left], [[], 4]);
  match(String(notes[0]), /^warning: The result of element 0 is that of "z", not of "a"$/);
  strictEqual(notes.length, 1);
});

Deno.test("collectElements() reads no pipe and no link in the place of a result", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using dir = await tempDir({ "elements/": "" });
  // A pipe would be waited for without end, and is told of by the same rule.
  await Deno.symlink("/dev/zero", dir.join("elements/1.json"));
  await rejects(collect(dir), /^BatchError: Cannot use ".+\/elements\/1\.json": it is a link, /);
});
