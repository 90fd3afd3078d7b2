import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { openHistory } from "../../../../agent/terminal/screen/history.ts";
import { tempDir } from "../../../helpers/temp_dir.ts";

Deno.test("openHistory() keeps prompts over sessions, for their owner alone", async () => {
  await using dir = await tempDir({});
  const state = dir.join("new", "state");
  const first = await openHistory(state);
  for (const prompt of ["one", "two\nlines \u2028 \x1b[1m", "two\nlines \u2028 \x1b[1m"]) {
    await first.add(prompt);
  }
  const again = await openHistory(state);
  deepStrictEqual(again.entries(), ["one", "two\nlines \u2028 \x1b[1m"]);
  const { mode } = await Deno.stat(`${state}/history.jsonl`);
  if (Deno.build.os !== "windows") strictEqual((mode ?? 0) & 0o777, 0o600);
});

Deno.test("openHistory() does not keep", async (t) => {
  const cases: [name: string, prompt: string][] = [
    ["nothing", ""],
    ["blanks", " \n"],
    ["what begins with a blank", " secret"],
    ["a document", "x".repeat(40_000)],
  ];
  for (const [name, prompt] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir({});
      const history = await openHistory(dir.path);
      await history.add("before");
      await history.add(prompt);
      deepStrictEqual(history.entries(), ["before"]);
      deepStrictEqual((await openHistory(dir.path)).entries(), ["before"]);
    });
  }
});

Deno.test("openHistory() without a folder lasts as long as the process", async () => {
  const history = await openHistory(undefined);
  await history.add("one");
  deepStrictEqual(history.entries(), ["one"]);
});

Deno.test("openHistory() leaves out lines that are torn or none of its own", async () => {
  await using dir = await tempDir({ "history.jsonl": '"one"\n"tor\n{"a":1}\n\n"two"\n"cut' });
  deepStrictEqual((await openHistory(dir.path)).entries(), ["one", "two"]);
});

Deno.test("openHistory() stays within its bounds", async () => {
  await using dir = await tempDir({});
  const line = (index: number) => `${JSON.stringify(`${index} ${"x".repeat(1_000)}`)}\n`;
  const lines = Array.from({ length: 1_200 }, (_, index) => line(index)).join("");
  await Deno.writeTextFile(dir.join("history.jsonl"), lines);
  const history = await openHistory(dir.path);
  strictEqual(history.entries().length, 1_000);
  await history.add("last");
  const { size } = await Deno.stat(dir.join("history.jsonl"));
  ok(size <= 512 * 1024, String(size));
  const again = (await openHistory(dir.path)).entries();
  strictEqual(again.at(-1), "last");
  strictEqual(again.at(-2)?.startsWith("1199 "), true);
});

Deno.test("openHistory() goes on where its file cannot be written or read", async () => {
  await using dir = await tempDir({ "history.jsonl/in the way": "", "file": "" });
  for (const state of [dir.path, dir.join("file")]) {
    const history = await openHistory(state);
    await history.add("one");
    deepStrictEqual(history.entries(), ["one"]);
  }
});
