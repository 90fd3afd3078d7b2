import { deepStrictEqual, ok } from "node:assert/strict";
import { applyCodexHunks } from "../../edit/codex.ts";
import { parseCodex } from "../../edit/codex_grammar.ts";
import { parseHunks } from "../../edit/hunk_grammar.ts";
import { applyHunks } from "../../edit/hunks.ts";
import { type Replacement, replaceUnique } from "../../edit/ladder.ts";
import { isRefusal, type Refusal } from "../../edit/refusal.ts";
import { applyChanges } from "../../edit/rewrite.ts";
import { readCases } from "./cases.ts";
import { decodeText, encodeText } from "../../edit/text.ts";

interface EditCase {
  readonly id: string;
  readonly format: "search_replace" | "conflict_patch" | "codex_patch";
  readonly file: string;
  readonly old: string;
  readonly new: string;
  readonly patch: string;
  readonly replace_all?: boolean;
  readonly expect: { ok: boolean; result?: string; reason?: string };
}

function editOf(one: EditCase, text: string): Replacement | Refusal {
  switch (one.format) {
    case "search_replace":
      return replaceUnique(text, one.old, one.new, { replaceAll: one.replace_all ?? false });
    case "conflict_patch": {
      const hunks = parseHunks(one.patch);
      return isRefusal(hunks) ? hunks : applyHunks(text, hunks);
    }
    case "codex_patch": {
      const files = parseCodex(one.patch);
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

Deno.test("edit-a", async (t) => {
  for (const one of await readCases<EditCase>("edit-a")) {
    await t.step(one.id, () => deepStrictEqual(answerOf(one), one.expect));
  }
});

/** Ways to bend a file after which an edit must land as before, or be refused as before. */
const BENDS: readonly (readonly [name: string, bend: (text: string) => string])[] = [
  ["with CRLF", (text) => text.replace(/\r?\n/g, "\r\n")],
  ["behind a byte order mark", (text) => text.startsWith(MARK) ? text : MARK + text],
  ["further down", (text) => text.replace(/^\uFEFF?/, (mark) => `${mark}#!first line of all\n`)],
];

const MARK = "\uFEFF";

Deno.test("edit-a, in files of another form", async (t) => {
  const cases = await readCases<EditCase>("edit-a");
  for (const [name, bend] of BENDS) {
    await t.step(name, () => {
      for (const one of cases) {
        const { ok: lands, result = "" } = one.expect;
        // A file without any line break cannot show which one it has.
        if (lands && !one.file.includes("\n")) continue;
        const want = lands ? { ok: true, result: bend(result) } : one.expect;
        deepStrictEqual([one.id, answerOf({ ...one, file: bend(one.file) })], [one.id, want]);
      }
    });
  }
});
