import type { Hit } from "./hit.ts";
import { mapLine } from "./indentation.ts";
import { type Change, diffLines } from "./line_diff.ts";
import { mergeEnds, type Twin } from "./merge_line.ts";
import type { Source } from "./source.ts";

/** Text to put in place of the range from `start` to before `end`, offsets in the original text. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The two texts of an edit, and how their lines correspond where the edit says so itself. */
export interface Rewriting {
  /** The old text that was found, with LF line breaks. */
  readonly old: string;
  readonly fresh: string;
  /** Changes between the two texts split at line breaks; worked out when not given. */
  readonly changes?: readonly Change[];
}

/**
 * What to write for a hit: lines that old and new share keep the file's bytes, changed lines keep the
 * file's characters at their common ends. Undefined when a new line is off the hit's indentation.
 */
export function rewrite(source: Source, hit: Hit, edit: Rewriting): TextChange[] | undefined {
  const { text } = source;
  const taken = text.slice(hit.start, hit.end);
  if (taken === edit.old && !edit.fresh.includes("\n") && edit.changes === undefined) {
    return [{ start: hit.start, end: hit.end, text: edit.fresh }];
  }
  const old = pieces(edit.old, hit.unterminated);
  const fresh = pieces(edit.fresh, hit.unterminated);
  const file = pieces(taken, false);
  const scene = { source, hit, old: old.texts, fresh, file };
  const written: TextChange[] = [];
  for (const change of edit.changes ?? diffLines(old.texts, fresh.texts)) {
    const lines = mergeLines(scene, change);
    if (lines === undefined) return undefined;
    written.push(place(scene, change, lines));
  }
  return written.filter(({ start, end, text: piece }) => text.slice(start, end) !== piece);
}

/** A text cut at its line breaks: one break fewer than texts. */
interface Pieces {
  readonly texts: string[];
  readonly breaks: string[];
  /** Offset of each text. */
  readonly starts: number[];
}

interface Scene {
  readonly source: Source;
  readonly hit: Hit;
  readonly old: readonly string[];
  readonly fresh: Pieces;
  readonly file: Pieces;
}

/** With `unterminated`, a final line break is one that the file lacks, and does not count. */
function pieces(text: string, unterminated: boolean): Pieces {
  const result: Pieces = { texts: [], breaks: [], starts: [] };
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", start)) {
    const end = at > start && text.charCodeAt(at - 1) === 13 ? at - 1 : at;
    result.texts.push(text.slice(start, end));
    result.starts.push(start);
    start = at + 1;
    if (unterminated && start === text.length) return result;
    result.breaks.push(text.slice(end, start));
  }
  result.texts.push(text.slice(start));
  result.starts.push(start);
  return result;
}

function mergeLines(scene: Scene, change: Change): string[] | undefined {
  const { fresh, hit } = scene;
  const paired = isPaired(change);
  const lines: string[] = [];
  for (let index = change.newStart; index < change.newEnd; index++) {
    const line = mapLine(hit.indentation, fresh.texts[index] ?? "");
    if (line === undefined) return undefined;
    const offset = index - change.newStart;
    const first = paired ? offset : 0;
    const last = paired ? offset : sizeOf(change) - 1;
    lines.push(mergeEnds(
      line,
      paired || offset === 0 ? twin(scene, change, first) : undefined,
      paired || index === change.newEnd - 1 ? twin(scene, change, last) : undefined,
    ));
  }
  return lines;
}

function sizeOf(change: Change): number {
  return change.oldEnd - change.oldStart;
}

/** Groups of equal size are paired line by line. */
function isPaired(change: Change): boolean {
  return sizeOf(change) === change.newEnd - change.newStart;
}

function twin({ old, file }: Scene, change: Change, offset: number): Twin | undefined {
  if (sizeOf(change) === 0) return undefined;
  const index = change.oldStart + offset;
  return { index, old: old[index] ?? "", file: file.texts[index] ?? "" };
}

/** Joins a change's lines with their breaks, and says where they go. */
function place(scene: Scene, change: Change, lines: readonly string[]): TextChange {
  const { file, hit } = scene;
  const offsetOf = (index: number) => hit.start + (file.starts[index] ?? hit.end - hit.start);
  const terminated = (line: string, index: number) => line + breakAfter(scene, change, index);
  const start = offsetOf(change.oldStart);
  if (change.oldEnd < scene.old.length) {
    return { start, end: offsetOf(change.oldEnd), text: lines.map(terminated).join("") };
  }
  if (sizeOf(change) === 0) {
    const led = lines.map((line, index) => breakAfter(scene, change, index) + line);
    return { start: hit.end, end: hit.end, text: led.join("") };
  }
  if (lines.length === 0 && change.oldStart > 0 && !hit.unterminated) {
    const previous = change.oldStart - 1;
    const end = offsetOf(previous) + (file.texts[previous] ?? "").length;
    return { start: end, end: hit.end, text: "" };
  }
  const last = lines.at(-1) ?? "";
  return { start, end: hit.end, text: lines.slice(0, -1).map(terminated).join("") + last };
}

/** A paired line keeps its own break; others take that of the line where the change starts. */
function breakAfter({ source, hit, file, fresh }: Scene, change: Change, index: number): string {
  if (isPaired(change)) {
    const own = file.breaks[change.oldStart + index];
    if (own !== undefined) return own;
  }
  const line = sizeOf(change) === 0 ? Math.max(0, change.oldStart - 1) : change.oldStart;
  return source.breakAt(hit.start + (file.starts[line] ?? 0)) ??
    fresh.breaks[change.newStart + index] ?? fresh.breaks.at(-1) ?? "\n";
}

/** The text with all changes made; they must not overlap, and their order does not matter. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: piece } of sortChanges(changes)) {
    parts.push(text.slice(at, start), piece);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Changes in file order; insertions at one place keep their order. */
export function sortChanges(changes: readonly TextChange[]): TextChange[] {
  return [...changes].sort((a, b) => a.start - b.start || a.end - b.end);
}
