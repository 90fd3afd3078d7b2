import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { patchTool } from "../../tools/patch.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, planOf, runPlanned, runTool } from "../helpers/tool_calls.ts";

const patchFile = patchTool({ recovery: "place" });

function hunk(old: string, fresh: string): string {
  return `<<<<<<< ORIGINAL\n${old}\n=======\n${fresh}\n>>>>>>> UPDATED\n`;
}

Deno.test("patch changes all places of its hunks, and shows them", async () => {
  await using dir = await tempDir({ "a.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n" });
  const args = { path: "a.txt", patch: hunk("eight", "8") + hunk("one", "1") };
  const { value, text } = await runTool(patchFile, args, { files: filesIn(dir.path) });
  strictEqual(
    await Deno.readTextFile(dir.join("a.txt")),
    "1\ntwo\nthree\nfour\nfive\nsix\nseven\n8\n",
  );
  const { message: _, ...facts } = value;
  deepStrictEqual(facts, {
    ok: true,
    path: "a.txt",
    rung: "exact",
    count: 2,
    lines: [{ first: 1, last: 1 }, { first: 8, last: 8 }],
  });
  match(text, /^Edited a\.txt: 2 places, exact match, line 1, line 8 now:\n/);
});

Deno.test("patch tells which of several hunks failed, and writes none", async (t) => {
  const file = "one\ntwo\n";
  await t.step("of several", async () => {
    await using dir = await tempDir({ "a.txt": file });
    const missing = "x".repeat(300);
    const args = { path: "a.txt", patch: hunk("one", "1") + hunk(missing, "3") };
    const { text } = await runTool(patchFile, args, { files: filesIn(dir.path) });
    match(text, /^hunk 2\/2 failed: not_found/);
    match(text, /nothing was written/);
    ok(text.includes("x".repeat(100)));
    match(text, /\n\[not edited: not_found\]$/);
    strictEqual(await Deno.readTextFile(dir.join("a.txt")), file);
  });
  await t.step("of one no hunk is named", async () => {
    await using dir = await tempDir({ "a.txt": file });
    const args = { path: "a.txt", patch: hunk("three", "3") };
    const { text } = await runTool(patchFile, args, { files: filesIn(dir.path) });
    match(text, /^not_found: /);
  });
});

Deno.test("patch lands after a formatter changed other lines, and else is stale", async (t) => {
  const args = { path: "a.ts", patch: hunk("  two();", "  2();") + hunk("four();", "4();") };
  const rows: [name: string, now: string, want: string | undefined][] = [
    [
      "other lines",
      "one( );\n  two();\n\nthree();\nfour();\n",
      "one( );\n  2();\n\nthree();\n4();\n",
    ],
    ["one of its own", "one();\n  two();\nthree();\n  four();\n", undefined],
  ];
  for (const [name, now, want] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.ts": "one();\n  two();\nthree();\nfour();\n" });
      const files = filesIn(dir.path);
      const plan = await planOf(patchFile, args, { files });
      await Deno.writeTextFile(dir.join("a.ts"), now);
      const { value } = await runPlanned(patchFile, args, { files }, plan);
      strictEqual(value.ok ? "ok" : value.reason, want === undefined ? "stale" : "ok");
      strictEqual(await Deno.readTextFile(dir.join("a.ts")), want ?? now);
    });
  }
});

Deno.test("patch warns of conflicts that are left in the file", async () => {
  const conflict = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> topic\n";
  await using dir = await tempDir({ "a.txt": `one\n${conflict}` });
  const { text } = await runTool(patchFile, { path: "a.txt", patch: hunk("one", "1") }, {
    files: filesIn(dir.path),
  });
  match(text, /merge-conflict markers/);
});
