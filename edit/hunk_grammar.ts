import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import { isBlank, linesOf, trimBlanksEnd } from "./text.ts";

/** A hunk between conflict markers: whole lines, without their breaks. */
export interface Hunk {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
}

/** A hunk, or a line that stands outside of all hunks; `line` counts from 1. */
export type PatchItem =
  | { readonly kind: "hunk"; readonly line: number; readonly hunk: Hunk }
  | { readonly kind: "outside"; readonly line: number; readonly text: string };

const START = /^(<{7,}) ORIGINAL[ \t]*$/;

/** Reads a conflict-marker patch; anything but hunks and blank lines is `malformed`. */
export function parseHunks(patch: string): readonly Hunk[] | Refusal {
  const items = parseItems(patch);
  if (isRefusal(items)) return items;
  const hunks: Hunk[] = [];
  for (const item of items) {
    if (item.kind === "outside") {
      const where = `line ${item.line} of the patch stands outside of a hunk`;
      return refuse("malformed", `${where}${foreignFormat(item.text)}`);
    }
    hunks.push(item.hunk);
  }
  return hunks.length > 0 ? hunks : refuse("malformed", "the patch has no hunk");
}

/** Names the format that a line outside of all hunks belongs to, where it is a known one. */
function foreignFormat(line: string): string {
  if (/^\*\*\* /.test(line)) return ": a codex patch is for patch_many";
  if (/^(?:--- |\+\+\+ |@@ |diff )/.test(line)) return ": unified diffs are not taken";
  return /^(?:`{3}|~{3})/.test(line) ? ": no code fence around the hunks" : "";
}

/** Reads a text into hunks and the non-blank lines outside of them. */
export function parseItems(patch: string): readonly PatchItem[] | Refusal {
  const items: PatchItem[] = [];
  const lines = linesOf(patch);
  let at = 0;
  while (at < lines.length) {
    const text = lines[at] ?? "";
    const marker = START.exec(text)?.[1];
    if (marker === undefined) {
      if (!isBlank(text)) items.push({ kind: "outside", line: at + 1, text });
      at++;
      continue;
    }
    const hunk = readHunk(lines, at, marker.length);
    if (isRefusal(hunk)) return hunk;
    items.push({ kind: "hunk", line: at + 1, hunk: hunk.hunk });
    at = hunk.end;
  }
  return items;
}

function readHunk(
  lines: readonly string[],
  start: number,
  signs: number,
): { hunk: Hunk; end: number } | Refusal {
  const marker = {
    start: "<".repeat(signs) + " ORIGINAL",
    divider: "=".repeat(signs),
    end: ">".repeat(signs) + " UPDATED",
  };
  const fail = (why: string) =>
    refuse("malformed", `the hunk that starts in line ${start + 1} ${why}`);
  let divider: number | undefined;
  for (let at = start + 1; at < lines.length; at++) {
    const line = trimBlanksEnd(lines[at] ?? "");
    if (line === marker.start) return fail(`has no end marker before the next start marker`);
    if (line === marker.divider) {
      if (divider !== undefined) {
        return fail(
          `has more than one divider; with ${
            signs + 1
          } signs in its marker lines such lines are text`,
        );
      }
      divider = at;
    }
    if (line !== marker.end) continue;
    if (divider === undefined) return fail(`has no divider "${marker.divider}"`);
    return {
      hunk: { old: lines.slice(start + 1, divider), fresh: lines.slice(divider + 1, at) },
      end: at + 1,
    };
  }
  return fail(`has no end marker "${marker.end}"`);
}
