import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { appendFile } from "../../tools/append_file.ts";
import { editFileTool } from "../../tools/edit_file.ts";
import { problemOfNewName, shownName } from "../../tools/new_name.ts";
import { patchManyTool } from "../../tools/patch_many.ts";
import { patchTool } from "../../tools/patch.ts";
import type { Tool } from "../../tools/tool.ts";
import { writeFile } from "../../tools/write_file.ts";
import { textsIn } from "../helpers/snapshot.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, runTool } from "../helpers/tool_calls.ts";

Deno.test("problemOfNewName()", async (t) => {
  const cases: [name: string, codes: string | undefined][] = [
    ["a b.txt", undefined],
    ["größe 日本語 ‘quoted’.md", undefined],
    ["👩‍👩‍👧.png", undefined],
    ["עברית.txt", undefined],
    ["a\u001b[31m.txt", "character U+001B,"],
    ["a\nb", "character U+000A,"],
    ["tab\tname", "character U+0009,"],
    ["del\u007f", "character U+007F,"],
    ["c1\u009b2J", "character U+009B,"],
    ["cod\u202egpj.exe", "character U+202E,"],
    ["\u2066a\u2069\u2066", "characters U+2066, U+2069,"],
    ["\ufeffa", "character U+FEFF,"],
    ["a\u2028b", "character U+2028,"],
  ];
  for (const [name, codes] of cases) {
    await t.step(shownName(name), () => {
      const problem = problemOfNewName(name);
      ok(codes === undefined ? problem === undefined : problem?.includes(codes), problem);
    });
  }
  strictEqual(shownName("a\u001b\u202eb"), "a\\u001b\\u202eb");
});

const ODD = "od\u001bd\u202e.txt";
const hunk = (old: string, fresh: string) =>
  `<<<<<<< ORIGINAL\n${old}=======\n${fresh}>>>>>>> UPDATED\n`;
const patchMany = patchManyTool({ recovery: "none" });

Deno.test("no tool makes a file whose name holds control characters", async (t) => {
  const calls: [name: string, tool: Tool, args: unknown][] = [
    ["write_file", writeFile, { path: ODD, content: "x" }],
    ["write_file, a folder on the way", writeFile, { path: `${ODD}/a.txt`, content: "x" }],
    ["append_file", appendFile, { path: ODD, content: "x" }],
    ["patch_many", patchMany, { patches: [{ path: ODD, patch: hunk("", "x\n") }] }],
    ["codex, a new file", patchMany, {
      patch: `*** Begin Patch\n*** Add File: ${ODD}\n+x\n*** End Patch`,
    }],
    ["codex, a new name", patchMany, {
      patch:
        `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${ODD}\n@@\n-one\n+x\n*** End Patch`,
    }],
  ];
  for (const [name, tool, args] of calls) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.txt": "one\n" });
      const { value, text } = await runTool(tool, args, { files: filesIn(dir.path) });
      deepStrictEqual([value.ok, value.reason], [false, "bad_name"], text);
      match(
        text,
        /\bod\\u001bd\\u202e\.txt.* cannot be made: its name holds the control characters /,
      );
      match(text, /\n\[not edited: bad_name\]$/);
      deepStrictEqual(await textsIn(dir.path), { "a.txt": "one\n" });
    });
  }
});

Deno.test("a file that has such a name already is edited like any other", async (t) => {
  const calls: [name: string, tool: Tool, args: unknown][] = [
    ["write_file", writeFile, { path: ODD, content: "x\n" }],
    ["edit_file", editFileTool({ recovery: "none" }), {
      path: ODD,
      old_string: "one",
      new_string: "x",
    }],
    ["patch", patchTool({ recovery: "none" }), { path: ODD, patch: hunk("one\n", "x\n") }],
    ["patch_many", patchMany, { patches: [{ path: ODD, patch: hunk("one\n", "x\n") }] }],
  ];
  for (const [name, tool, args] of calls) {
    await t.step(name, async () => {
      await using dir = await tempDir({ [ODD]: "one\n" });
      const { text } = await runTool(tool, args, { files: filesIn(dir.path) });
      deepStrictEqual(await textsIn(dir.path), { [ODD]: "x\n" }, text);
    });
  }
  await t.step("and makes no new files unusable in a folder of such a name", async () => {
    await using dir = await tempDir({ [`${ODD}/`]: "" });
    await runTool(writeFile, { path: `${ODD}/a.txt`, content: "x\n" }, {
      files: filesIn(dir.path),
    });
    deepStrictEqual(await textsIn(dir.path), { [`${ODD}/a.txt`]: "x\n" });
  });
});
