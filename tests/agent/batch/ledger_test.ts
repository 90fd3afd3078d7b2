import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { BatchError } from "../../../agent/batch/error.ts";
import { Ledger } from "../../../agent/batch/ledger.ts";
import { type OutFolder, takeOutFolder } from "../../../agent/batch/out_folder.ts";
import type { TaskResult } from "../../../agent/batch/result.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";
import { result, TRY_LATER } from "./results.ts";

interface Opened extends Disposable {
  readonly ledger: Ledger;
  readonly out: OutFolder;
  readonly notes: string[];
}

async function open(dir: TempDir, retryFailed = false): Promise<Opened> {
  using opening = new DisposableStack();
  const { out } = opening.use(takeOutFolder(dir.join("out"), "alone"));
  const notes: string[] = [];
  const note = (line: string) => void notes.push(line);
  const ledger = opening.use(await Ledger.open(out, { retryFailed, note }));
  const opened = opening.move();
  return { ledger, out, notes, [Symbol.dispose]: () => opened.dispose() };
}

function lines(results: readonly TaskResult[]): string {
  return results.map((one) => `${JSON.stringify(one)}\n`).join("");
}

function idsIn(path: string): string[] {
  return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line).id);
}

Deno.test("Ledger.open() knows what was done, and what it cost", async () => {
  await using dir = await tempDir();
  {
    using opened = await open(dir);
    const { ledger } = opened;
    ledger.finish(result("a", { workspace: "/w/a" }));
    ledger.attempt(result("b", TRY_LATER));
    ledger.finish(result("b", { reason: "failed", exit_code: 1 }));
    strictEqual(ledger.spentUsd, 1.5);
  }
  using opened = await open(dir);
  const { ledger, notes } = opened;
  deepStrictEqual([...ledger.done], [
    ["a", { exitCode: 0, reason: "done", digest: "digest-a" }],
    ["b", { exitCode: 1, reason: "failed", digest: "digest-b" }],
  ]);
  deepStrictEqual([...ledger.workspaces], ["/w/a"]);
  deepStrictEqual([ledger.spentUsd, notes], [1.5, []]);
});

Deno.test("Ledger.open() takes out what is to be done again, and keeps what it cost", async (t) => {
  const left = [
    result("done"),
    result("later", TRY_LATER),
    result("failed", { reason: "failed", exit_code: 1 }),
    result("budget", { reason: "budget", exit_code: 3 }),
    result("limit", { reason: "turn_limit", exit_code: 3 }),
  ];
  const cases: readonly [retryFailed: boolean, kept: string[], again: string[]][] = [
    [false, ["done", "failed", "limit"], ["later", "budget"]],
    [true, ["done"], ["later", "failed", "budget", "limit"]],
  ];
  for (const [retryFailed, kept, again] of cases) {
    await t.step(retryFailed ? "failed ones too" : "as it is", async () => {
      await using dir = await tempDir({ "out/results.jsonl": lines(left) });
      using opened = await open(dir, retryFailed);
      const { out, ledger } = opened;
      deepStrictEqual([...ledger.done.keys()], kept);
      deepStrictEqual([idsIn(out.results), idsIn(out.attempts)], [kept, again]);
      strictEqual(ledger.spentUsd, 2.5);
      // The file was replaced, and what is written now is in the new one.
      ledger.finish(result("later"));
      deepStrictEqual(idsIn(out.results), [...kept, "later"]);
    });
  }
});

Deno.test("Ledger.open() leaves one line a task, and counts no cost twice for opening", async () => {
  await using dir = await tempDir({
    "out/results.jsonl": lines([result("a"), result("a"), result("b", TRY_LATER)]),
  });
  for (let time = 1; time <= 3; time++) {
    using opened = await open(dir);
    const { ledger, out } = opened;
    deepStrictEqual(idsIn(out.results), ["a"]);
    deepStrictEqual(idsIn(out.attempts), ["a", "b"]);
    strictEqual(ledger.spentUsd, 1.5);
  }
});

Deno.test("Ledger.open() cuts a torn line off, and passes over what is no result", async () => {
  await using dir = await tempDir({
    "out/results.jsonl": `${lines([result("a")])}nonsense\n${lines([result("b")])}{"id":"c`,
  });
  using opened = await open(dir);
  deepStrictEqual([...opened.ledger.done.keys()], ["a", "b"]);
  const [torn = "", damaged = ""] = opened.notes;
  match(torn, /results\.jsonl" was torn and is cut off$/);
  match(damaged, /^warning: Line 2 of .+results\.jsonl" is no result and is passed over$/);
  opened.ledger.finish(result("c"));
  match(await Deno.readTextFile(opened.out.results), /nonsense\n\{"id":"b".+\n\{"id":"c".+\n$/);
});

Deno.test("Ledger.isFinal() does not hold for what ended by try later in this very run", async () => {
  await using dir = await tempDir();
  using opened = await open(dir);
  opened.ledger.finish(result("a"));
  opened.ledger.finish(result("b", TRY_LATER));
  deepStrictEqual(["a", "b", "c"].map((id) => opened.ledger.isFinal(id)), [true, false, false]);
});

Deno.test("Ledger.open() says which file it cannot use", async () => {
  await using dir = await tempDir();
  using taken = takeOutFolder(dir.path, "alone");
  await Deno.mkdir(taken.out.results);
  await rejects(Ledger.open(taken.out, { retryFailed: false, note: () => {} }), (error) => {
    match(String(error instanceof BatchError && error.message), /^Cannot write ".+results\.jsonl"/);
    return true;
  });
});
