import { deepStrictEqual, ok } from "node:assert/strict";
import { applyCodexHunks } from "../../edit/codex.ts";
import { parseCodex } from "../../edit/codex_grammar.ts";
import { parseHunks } from "../../edit/hunk_grammar.ts";
import { applyHunks } from "../../edit/hunks.ts";
import { type Replacement, replaceUnique } from "../../edit/ladder.ts";
import { isRefusal, type Refusal } from "../../edit/refusal.ts";
import { applyChanges } from "../../edit/rewrite.ts";
import { decodeText, encodeText } from "../../edit/encoding.ts";
import { lineEnding } from "../../edit/text.ts";
import { type EditCase, readCases } from "../helpers/edit_cases.ts";

function editOf(one: EditCase, text: string): Replacement | Refusal {
  switch (one.format) {
    case "search_replace":
      return replaceUnique(text, one.old ?? "", one.new ?? "", {
        replaceAll: one.replace_all ?? false,
      });
    case "conflict_patch": {
      const hunks = parseHunks(one.patch ?? "");
      return isRefusal(hunks) ? hunks : applyHunks(text, hunks);
    }
    case "codex_patch": {
      const files = parseCodex(one.patch ?? "");
      if (isRefusal(files)) return files;
      const [update] = files;
      ok(files.length === 1 && update?.kind === "update");
      return applyCodexHunks(text, update.hunks);
    }
  }
}

function answerOf(one: EditCase) {
  const file = decodeText(new TextEncoder().encode(one.file));
  if (!file.ok) return { ok: false, reason: file.reason };
  const answer = editOf(one, file.text);
  if (!answer.ok) return { ok: false, reason: answer.reason };
  deepStrictEqual(applyChanges(file.text, answer.changes), answer.text);
  const bytes = encodeText(answer.text, file.bom);
  return { ok: true, result: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
}

/** Ways to bend a file after which an edit must land as before, or be refused as before. */
const BENDS: readonly (readonly [name: string, bend: (text: string) => string])[] = [
  ["as it is", (text) => text],
  ["with CRLF", (text) => text.replace(/\r?\n/g, "\r\n")],
  ["behind a byte order mark", (text) => text.startsWith(MARK) ? text : MARK + text],
  ["further down", (text) => text.replace(/^\uFEFF?/, (mark) => `${mark}§§§§\n`)],
];

const MARK = "\uFEFF";

/** A file without any line break cannot show which one it has, and one with both loses a difference. */
function isBendable(file: string): boolean {
  return ["LF", "CRLF"].includes(lineEnding(file));
}

for (const name of ["edit-a", "edit-own"]) {
  Deno.test(`${name} in files of other forms`, async (t) => {
    const cases = await readCases<EditCase>(name);
    for (const [form, bend] of BENDS) {
      await t.step(form, () => {
        for (const one of cases) {
          const { ok: lands, result = "" } = one.expect;
          if (form !== "as it is" && !isBendable(one.file)) continue;
          const want = lands ? { ok: true, result: bend(result) } : one.expect;
          deepStrictEqual([one.id, answerOf({ ...one, file: bend(one.file) })], [one.id, want]);
        }
      });
    }
  });
}
