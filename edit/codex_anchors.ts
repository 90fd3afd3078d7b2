import { isRefusal, MAX_PLACES, type Refusal, refuse } from "./refusal.ts";
import type { Source } from "./source.ts";
import {
  isBlank,
  isBlankCode,
  leadingBlanks,
  lineEnd,
  type Lines,
  lineStart,
  lineText,
  trimBlanks,
} from "./text.ts";
import { foldCode, foldTypography, lineHash } from "./typography.ts";

/** Line indices from 0: what lies below the innermost anchor, and the anchor's own block in it. */
export interface Scope {
  /** Line of the innermost anchor; -1 without one. */
  readonly anchor: number;
  readonly blockEnd: number;
}

/** Follows the anchors step by step, each in the block below the one before, else after it. */
export function findScope(source: Source, anchors: readonly string[]): Scope | Refusal {
  let scope: Scope = { anchor: -1, blockEnd: source.lines.count };
  for (const anchor of anchors) {
    const found = findAnchor(source, anchor, scope);
    if (isRefusal(found)) return found;
    scope = { anchor: found.line, blockEnd: endOfBlock(source, found.line) };
  }
  return scope;
}

function findAnchor(
  source: Source,
  anchor: string,
  { anchor: above, blockEnd }: Scope,
): { line: number } | Refusal {
  for (const end of new Set([blockEnd, source.lines.count])) {
    const found = anchorLines(source, anchor, above + 1, end);
    const [line] = found;
    if (line === undefined) continue;
    if (found.length === 1) return { line };
    const places = found.slice(0, MAX_PLACES).map((line) => line + 1);
    const detail = `the anchor "${anchor}" fits ${found.length} lines`;
    return refuse("ambiguous", detail, { places, count: found.length, anchor });
  }
  return refuse(
    "not_found",
    `the anchor "${anchor}" is not in the file${above < 0 ? "" : " below the one before it"}`,
    { anchor },
  );
}

/** Ways in which a whole line is the anchor's, from strict to tolerant. */
const ANCHOR_RUNGS: readonly ((line: string, anchor: string) => boolean)[] = [
  (line, anchor) => line === anchor,
  (line, anchor) => trimBlanks(line) === trimBlanks(anchor),
  (line, anchor) => foldTypography(trimBlanks(line)) === foldTypography(trimBlanks(anchor)),
];

/** Lines that are the anchor; where none is, lines that begin like it. */
function anchorLines(source: Source, anchor: string, first: number, end: number): number[] {
  const hash = lineHash(anchor, 0, anchor.length);
  const alike: number[] = [];
  for (let line = first; line < end; line++) {
    if (source.hashes[line] === hash) alike.push(line);
  }
  for (const equal of ANCHOR_RUNGS) {
    const found = alike.filter((line) => equal(lineText(source.lines, line), anchor));
    if (found.length > 0) return found;
  }
  const beginning = foldTypography(trimBlanks(anchor));
  const found: number[] = [];
  for (let line = first; line < end; line++) {
    if (beginsLike(source.lines, line, beginning)) found.push(line);
  }
  return found;
}

/** Compares without a copy of each line: a patch may have hundreds of anchors. */
function beginsLike(lines: Lines, line: number, beginning: string): boolean {
  const end = lineEnd(lines, line);
  let start = lineStart(lines, line);
  while (start < end && isBlankCode(lines.text.charCodeAt(start))) start++;
  if (end - start < beginning.length) return false;
  for (let at = 0; at < beginning.length; at++) {
    if (foldCode(lines.text.charCodeAt(start + at)) !== beginning.charCodeAt(at)) return false;
  }
  return true;
}

/** The first line below that is not blank and not deeper than the anchor. */
function endOfBlock({ lines }: Source, anchor: number): number {
  const depth = leadingBlanks(lineText(lines, anchor)).length;
  for (let line = anchor + 1; line < lines.count; line++) {
    const text = lineText(lines, line);
    if (!isBlank(text) && leadingBlanks(text).length <= depth) return line;
  }
  return lines.count;
}
