import { diffLines } from "../../../edit/line_diff.ts";

/** A part of a line, and whether it differs from the other one. */
export interface WordPart {
  readonly text: string;
  readonly changed: boolean;
}

/** Lines longer than this are compared as wholes, in characters. */
const MAX_LINE_CHARS = 300;

/** Lines that share less than this part of the longer one are different lines, not a changed one. */
const MIN_SHARED = 0.4;

/** What changed inside a line, for both its states; undefined where the lines have too little in common. */
export function changedWords(
  old: string,
  fresh: string,
): { readonly old: WordPart[]; readonly fresh: WordPart[] } | undefined {
  const longer = Math.max(old.length, fresh.length);
  if (longer > MAX_LINE_CHARS) return undefined;
  const before = wordsOf(old);
  const after = wordsOf(fresh);
  const changes = diffLines(before, after);
  const shared = { old: new Array<boolean>(before.length).fill(true) };
  const kept = { fresh: new Array<boolean>(after.length).fill(true) };
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    shared.old.fill(false, oldStart, oldEnd);
    kept.fresh.fill(false, newStart, newEnd);
  }
  const common = before.filter((word, at) => shared.old[at] && word.trim() !== "").join("");
  if (common.length < MIN_SHARED * longer) return undefined;
  return { old: partsOf(before, shared.old), fresh: partsOf(after, kept.fresh) };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function partsOf(words: readonly string[], isShared: readonly boolean[]): WordPart[] {
  const parts: { text: string; changed: boolean }[] = [];
  for (const [at, text] of words.entries()) {
    const changed = !isShared[at];
    const last = parts.at(-1);
    if (last?.changed === changed) last.text += text;
    else parts.push({ text, changed });
  }
  return parts;
}
