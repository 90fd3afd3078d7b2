import { type Change, diffLines } from "./line_diff.ts";

/** Names of the two sides of a diff; undefined for a file that is not there. */
export interface DiffPaths {
  readonly old: string | undefined;
  readonly fresh: string | undefined;
}

/** Unchanged lines around each change, as everywhere. */
const CONTEXT_LINES = 3;

/** The unified diff between two texts, for a person to read; empty when they are the same. */
export function unifiedDiff(paths: string | DiffPaths, old: string, fresh: string): string {
  const names = typeof paths === "string" ? { old: paths, fresh: paths } : paths;
  const before = diffLinesOf(old);
  const after = diffLinesOf(fresh);
  const changes = diffLines(before, after);
  if (changes.length === 0) return "";
  const head = [
    `--- ${names.old === undefined ? "/dev/null" : `a/${names.old}`}`,
    `+++ ${names.fresh === undefined ? "/dev/null" : `b/${names.fresh}`}`,
  ];
  const hunks = grouped(changes).map((group) => hunkOf(group, before, after));
  return [...head, ...hunks.flat()].join("\n") + "\n";
}

const UNTERMINATED = "\n\\ No newline at end of file";

/** Lines as a diff compares them: an unterminated last line differs from a terminated one. */
function diffLinesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1);
  lines[lines.length - 1] += UNTERMINATED;
  return lines;
}

/** Changes whose context would touch are one hunk. */
function grouped(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.oldStart - last.oldEnd <= 2 * CONTEXT_LINES) {
      groups.at(-1)?.push(change);
    } else groups.push([change]);
  }
  return groups;
}

function hunkOf(group: readonly Change[], old: string[], fresh: string[]): string[] {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined) return [];
  const lead = Math.min(CONTEXT_LINES, first.oldStart);
  const trail = Math.min(CONTEXT_LINES, old.length - last.oldEnd);
  const lines: string[] = [];
  let at = first.oldStart - lead;
  for (const change of group) {
    lines.push(...prefixed(" ", old.slice(at, change.oldStart)));
    lines.push(...prefixed("-", old.slice(change.oldStart, change.oldEnd)));
    lines.push(...prefixed("+", fresh.slice(change.newStart, change.newEnd)));
    at = change.oldEnd;
  }
  lines.push(...prefixed(" ", old.slice(at, last.oldEnd + trail)));
  const oldRange = rangeOf(first.oldStart - lead, last.oldEnd + trail);
  const newRange = rangeOf(first.newStart - lead, last.newEnd + trail);
  return [`@@ -${oldRange} +${newRange} @@`, ...lines];
}

function prefixed(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => sign + line);
}

/** Start and length; an empty range names the line before it. */
function rangeOf(start: number, end: number): string {
  const length = end - start;
  const first = length === 0 ? start : start + 1;
  return length === 1 ? `${first}` : `${first},${length}`;
}
