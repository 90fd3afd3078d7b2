import { combine, landEach, type Part } from "./combine.ts";
import type { CodexHunk, CodexLine } from "./codex_grammar.ts";
import { land, type Landing, type Replacement } from "./ladder.ts";
import { type Change, diffLines } from "./line_diff.ts";
import { leakedOmission } from "./placeholder.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import { findScope, type Scope } from "./codex_anchors.ts";
import { Source } from "./source.ts";
import { lineStart } from "./text.ts";

/** Applies the hunks of an update; all are located in the original, and all go or none. */
export function applyCodexHunks(
  file: string | Source,
  hunks: readonly CodexHunk[],
): Replacement | Refusal {
  const source = typeof file === "string" ? new Source(file) : file;
  const parts = landEach(hunks, (hunk) => {
    const landing = landHunk(source, hunk);
    return landing.ok ? partOf(landing) : { ...textsOf(hunk.lines), ...landing };
  });
  return isRefusal(parts) ? parts : combine(source.text, parts);
}

/** Hunks may share context, so that they claim only what they change. */
function partOf(landing: Landing): Part {
  return { landing, claims: landing.changes };
}

function landHunk(source: Source, hunk: CodexHunk): Landing | Refusal {
  const scope = findScope(source, hunk.anchors);
  if (isRefusal(scope)) return scope;
  const added = pureAddition(hunk.lines);
  if (added !== undefined) return insert(source, hunk, scope, added);
  let answer = landBlock(source, hunk, scope, hunk.lines);
  const dense = withoutGap(hunk.lines);
  if (isMissing(answer) && dense.length < hunk.lines.length) {
    answer = landBlock(source, hunk, scope, dense);
  }
  return isMissing(answer) && hunk.atEnd
    ? refuse("not_found", "the block does not end the file, as its marker says")
    : answer;
}

function isMissing(answer: Landing | Refusal): boolean {
  return !answer.ok && answer.reason === "not_found";
}

/** The lines of a hunk that only adds; empty lines of the patch around them are no context. */
function pureAddition(lines: readonly CodexLine[]): string[] | undefined {
  const added = lines.filter(({ kind }) => kind === "added").map(({ text }) => text);
  return added.length > 0 && lines.every(({ kind }) => kind === "added" || kind === "bare")
    ? added
    : undefined;
}

/** The lines without the empty ones before the next hunk, which may be but a gap. */
function withoutGap(lines: readonly CodexLine[]): readonly CodexLine[] {
  return lines.slice(0, lines.findLastIndex(({ kind }) => kind !== "bare") + 1);
}

function landBlock(
  source: Source,
  hunk: CodexHunk,
  scope: Scope,
  lines: readonly CodexLine[],
): Landing | Refusal {
  const edit = { ...textsOf(lines), changes: changesOf(lines), wholeLines: true };
  const size = lines.filter(({ kind }) => kind !== "added").length;
  const within = (first: number, end: number) =>
    land(source, {
      ...edit,
      from: lineStart(source.lines, hunk.atEnd ? Math.max(first, end - size) : first),
      to: lineStart(source.lines, end),
    });
  const { count } = source.lines;
  const regions: [first: number, end: number][] = scope.anchor < 0 ? [[0, count]] : [
    ...(hunk.atEnd ? [] : [[scope.anchor + 1, scope.blockEnd] as [number, number]]),
    [scope.anchor + 1, count],
    [scope.anchor, count],
  ];
  let answer: Landing | Refusal = refuse("not_found", "");
  for (const [first, end] of regions) {
    answer = within(first, end);
    if (!isMissing(answer)) return answer;
  }
  return answer;
}

function textsOf(lines: readonly CodexLine[]): { old: string; fresh: string } {
  const without = (other: CodexLine["kind"]) =>
    lines.filter(({ kind }) => kind !== other).map(({ text }) => text + "\n").join("");
  return { old: without("added"), fresh: without("removed") };
}

/** Runs of removed and added lines, each narrowed to what really differs. */
function changesOf(lines: readonly CodexLine[]): Change[] {
  const changes: Change[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  let old = 0;
  let fresh = 0;
  const close = () => {
    for (const change of diffLines(removed, added)) changes.push(shifted(change, old, fresh));
    old += removed.length;
    fresh += added.length;
    removed = [];
    added = [];
  };
  for (const { kind, text } of lines) {
    if (kind === "removed") removed.push(text);
    else if (kind === "added") added.push(text);
    else {
      close();
      old++;
      fresh++;
    }
  }
  close();
  return changes;
}

function shifted(change: Change, old: number, fresh: number): Change {
  return {
    oldStart: change.oldStart + old,
    oldEnd: change.oldEnd + old,
    newStart: change.newStart + fresh,
    newEnd: change.newEnd + fresh,
  };
}

/** Puts lines below the anchor, or at the end of the file. */
function insert(
  source: Source,
  hunk: CodexHunk,
  { anchor }: Scope,
  added: readonly string[],
): Landing | Refusal {
  const leak = leakedOmission(added.join("\n"), "");
  if (leak !== undefined) return refuse("placeholder", `new text leaves code out ("${leak}")`);
  const { lines, text } = source;
  const below = anchor < 0 || hunk.atEnd ? lines.count : anchor + 1;
  const at = lineStart(lines, below);
  const lineBreak = source.breakAt(lineStart(lines, Math.max(0, below - 1))) ?? "\n";
  const open = at > 0 && text.charCodeAt(at - 1) !== 10;
  const written = added.map((line) => open ? lineBreak + line : line + lineBreak).join("");
  const change = { start: at, end: at, text: written };
  return { ok: true, rung: "exact", hits: [], changes: [change] };
}
