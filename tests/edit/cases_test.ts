import { deepStrictEqual } from "node:assert/strict";
import { replaceUnique } from "../../edit/ladder.ts";
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

async function readCases<T>(name: string): Promise<T[]> {
  const path = new URL(`../fixtures/cases/${name}.jsonl`, import.meta.url);
  return (await Deno.readTextFile(path)).trim().split("\n").map((line) => JSON.parse(line));
}

function answerOf(one: EditCase) {
  const file = decodeText(new TextEncoder().encode(one.file));
  if (!file.ok) return { ok: false, reason: file.reason };
  const answer = replaceUnique(file.text, one.old, one.new, {
    replaceAll: one.replace_all ?? false,
  });
  if (!answer.ok) return { ok: false, reason: answer.reason };
  return {
    ok: true,
    result: new TextDecoder("utf-8", { ignoreBOM: true }).decode(encodeText(answer.text, file.bom)),
  };
}

Deno.test("edit-a", async (t) => {
  for (const one of await readCases<EditCase>("edit-a")) {
    if (one.format !== "search_replace") continue;
    await t.step(one.id, () => deepStrictEqual(answerOf(one), one.expect));
  }
});
