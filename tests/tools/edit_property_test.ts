import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { replaceUnique } from "../../edit/ladder.ts";
import { decodeText, encodeText } from "../../edit/encoding.ts";
import { editFileTool } from "../../tools/edit_file.ts";
import { snapshot } from "../helpers/snapshot.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, runTool } from "../helpers/tool_calls.ts";

/** Few different lines, so that edits are ambiguous as well, with what tolerant rungs overlook. */
const line = fc.constantFrom("a", "  b", "\tb", "c ", "", "“é”", '"é"', "😀 d", "e");

const file = fc.record({
  lines: fc.array(fc.record({ line, end: fc.constantFrom("\n", "\r\n") }), { minLength: 1 }),
  bom: fc.boolean(),
  unterminated: fc.boolean(),
}).map(({ lines, bom, unterminated }) => {
  const text = lines.map(({ line, end }) => line + end).join("");
  return encodeText(unterminated ? text.replace(/\r?\n$/, "") : text, bom);
});

const words = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));

Deno.test("edit_file writes what the engine works out, and else nothing", async () => {
  await using dir = await tempDir();
  const path = dir.join("f.txt");
  const tool = editFileTool({ recovery: "none" });
  let landed = 0;
  await fc.assert(
    fc.asyncProperty(file, words, words, async (bytes, old_string, new_string) => {
      await Deno.writeFile(path, bytes);
      const before = await snapshot(dir.path);
      const args = { path: "f.txt", old_string, new_string };
      const { isError, value } = await runTool(tool, args, { files: filesIn(dir.path) });
      ok(!isError);
      const decoded = decodeText(bytes);
      ok(decoded.ok);
      const want = replaceUnique(decoded.text, old_string, new_string);
      strictEqual(value.ok ? value.rung : value.reason, want.ok ? want.rung : want.reason);
      if (!want.ok) return deepStrictEqual(await snapshot(dir.path), before);
      landed++;
      deepStrictEqual(await Deno.readFile(path), encodeText(want.text, decoded.bom));
    }),
    { numRuns: 400 },
  );
  ok(landed > 20, `only ${landed} of the edits landed`);
});
