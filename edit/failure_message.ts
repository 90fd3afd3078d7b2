import { numberedLines, rangeWords, shownLine, visibleBlanks } from "./numbered.ts";
import type { Refusal } from "./refusal.ts";
import type { Source } from "./source.ts";
import { type Closest, findClosest } from "./suggest.ts";
import {
  isBlank,
  leadingBlanks,
  lineAt,
  lineEnding,
  linesOf,
  lineText,
  trimBlanks,
  withBreaks,
} from "./text.ts";
import { transportLook } from "./transport.ts";

/** Which tool's words the advice uses. */
export type EditForm = "edit" | "patch" | "codex";

/** What a failure message is made from. */
export interface FailureContext {
  readonly path: string;
  /** The file that was not changed. */
  readonly source: Source;
  readonly form: EditForm;
  /** True when time for the search of the closest place is up. */
  expired(): boolean;
  /** How much of the file to show: the closest place, the whole file, or nothing. */
  readonly recovery: "place" | "file" | "none";
}

/** Lines shown on both sides of a place. */
const AROUND_LINES = 2;
/** Rows shown of the closest place, at most. */
const PLACE_ROWS = 14;
const SHOWN_PLACES = 3;
/** A whole file is shown within the limits of read_file. */
const WHOLE_LINES = 2_000;
const WHOLE_LENGTH = 50 * 1_024;

const TRIED = "Tried: exactly, then ignoring line endings, blanks at line ends, uniform " +
  "indentation, typographic characters; then without line numbers, fences and escapes.";

/** Says why an edit was refused, what is there instead, and what to do next; below 40 lines. */
export function failureMessage(refusal: Refusal, context: FailureContext): string {
  return [...hunkLines(refusal), ...bodyLines(refusal, context), "The file was not changed."]
    .join("\n");
}

function hunkLines({ hunk, reason, old }: Refusal): string[] {
  if (hunk === undefined) return [];
  const others = `${hunk.fitting} of the other ${hunk.count - 1} would have gone`;
  const head =
    `hunk ${hunk.index}/${hunk.count} failed: ${reason}; ${others}, nothing was written.`;
  const start = old === undefined ? "" : old.slice(0, 100).trimEnd();
  return start === "" ? [head] : [head, "It starts:", ...start.split("\n").slice(0, 6)];
}

function bodyLines(refusal: Refusal, context: FailureContext): string[] {
  switch (refusal.reason) {
    case "not_found":
      return refusal.detail === ""
        ? missLines(refusal, context)
        : [`not_found: ${refusal.detail} (${context.path}).`, ...nextLines(refusal, context)];
    case "ambiguous":
      return [...ambiguousLines(refusal, context), ...nextLines(refusal, context)];
    default:
      return [
        `${refusal.reason}: ${refusal.detail} (${context.path}).`,
        ...nextLines(refusal, context),
      ];
  }
}

function missLines(refusal: Refusal, context: FailureContext): string[] {
  const { source, path } = context;
  const old = linesOf(refusal.old ?? "");
  const facts = `${source.lines.count} lines, ${lineEnding(source.text)}`;
  const size = old.length === 1 ? "1 line" : `${old.length} lines`;
  return [
    `not_found: old text (${size}) is not in ${path} (${facts}).`,
    TRIED,
    ...lookLines(refusal),
    ...appliedLines(refusal, context),
    ...placeLines(old, context),
    ...nextLines(refusal, context),
  ];
}

function lookLines({ old = "" }: Refusal): string[] {
  const look = transportLook(withBreaks(old, "\n"));
  return look === undefined
    ? []
    : [`Old text looks as if it had ${look} in it, which could not be undone safely.`];
}

/** When new stands in the file once and old is gone, the edit is probably done. */
function appliedLines({ fresh = "" }: Refusal, { source }: FailureContext): string[] {
  const wanted = withBreaks(fresh, "\n");
  const { text } = source.plain;
  const at = text.indexOf(wanted);
  if (isBlank(wanted.replaceAll("\n", "")) || at < 0 || text.indexOf(wanted, at + 1) >= 0) {
    return [];
  }
  const start = source.plain.original(at);
  const end = source.plain.original(at + wanted.replace(/\n$/, "").length);
  const range = { first: lineAt(source.lines, start) + 1, last: lineAt(source.lines, end) + 1 };
  return [`New text is in the file already: was the edit applied at ${rangeWords(range)}?`];
}

function placeLines(old: readonly string[], context: FailureContext): string[] {
  const { source, recovery } = context;
  if (recovery === "none") return [];
  if (recovery === "file" && isSmall(source)) {
    return ["The file now:", ...numberedLines(source.lines, { first: 1, last: WHOLE_LINES })];
  }
  const closest = findClosest(source, old.join("\n"), () => context.expired());
  if (closest === undefined) return ["No place in the file is close to it."];
  const first = closest.first + 1;
  const last = closest.first + closest.size;
  const equal = old.length === 1 ? "" : `, ${closest.equal} of ${old.length} lines equal`;
  const shown = shownRange(closest);
  return [
    `Closest place: ${rangeWords({ first, last })}${equal}.`,
    ...differenceLines(old, source, closest),
    `${rangeWords(shown).replace("line", "Line")} now:`,
    ...numberedLines(source.lines, shown),
  ];
}

function isSmall({ text, lines }: Source): boolean {
  return text.length <= WHOLE_LENGTH && lines.count <= WHOLE_LINES;
}

/** The place with its surroundings, or what lies around the first difference of a long one. */
function shownRange({ first, size, difference }: Closest): { first: number; last: number } {
  const whole = { first: Math.max(1, first + 1 - AROUND_LINES), last: first + size + AROUND_LINES };
  if (size + 2 * AROUND_LINES <= PLACE_ROWS) return whole;
  const middle = (difference?.file ?? first) + 1;
  const from = Math.max(whole.first, middle - PLACE_ROWS / 2);
  return { first: from, last: Math.min(whole.last, from + PLACE_ROWS - 1) };
}

function differenceLines(old: readonly string[], source: Source, closest: Closest): string[] {
  const { lines } = source;
  const { difference } = closest;
  if (difference === undefined) return blankDifference(old, source, closest);
  const mine = old[difference.old];
  const number = difference.file + 1;
  const theirs = difference.file < lines.count ? lineText(lines, difference.file) : undefined;
  return [
    `First difference at line ${number}:`,
    `  - ${mine === undefined ? "(nothing more)" : shownLine(mine)}    <- your old text`,
    `  + ${theirs === undefined ? "(end of the file)" : shownLine(theirs)}    <- file`,
    ...(mine === undefined || theirs === undefined ? [] : innerBlanks(mine, theirs)),
  ];
}

/** Names a difference that lies in blanks alone, where eyes do not find it. */
function innerBlanks(mine: string, theirs: string): string[] {
  const bare = (text: string) => text.replace(/[ \t]+/g, "");
  if (bare(mine) !== bare(theirs)) return [];
  return ["They differ in blanks only (· is a space, → a tab):", ...visiblePair(mine, theirs)];
}

function visiblePair(mine: string, theirs: string): string[] {
  return [`  - ${visibleBlanks(mine)}`, `  + ${visibleBlanks(theirs)}`];
}

/** All lines are equal but for outer blanks: the indentation follows no one rule. */
function blankDifference(old: readonly string[], { lines }: Source, { first }: Closest): string[] {
  const at = old.findIndex((line, index) =>
    !isBlank(line) && leadingBlanks(line) !== leadingBlanks(lineText(lines, first + index))
  );
  const mine = old[at];
  if (mine === undefined) return [];
  const theirs = lineText(lines, first + at);
  return [
    `Only indentation differs, and not by one rule: the file has ${blankWords(theirs)} at line ` +
    `${first + at + 1}, old has ${blankWords(mine)} (· is a space, → a tab):`,
    ...visiblePair(mine, theirs),
  ];
}

function blankWords(line: string): string {
  const indent = leadingBlanks(line);
  const tabs = indent.split("\t").length - 1;
  const spaces = indent.length - tabs;
  const words = [count(tabs, "tab"), count(spaces, "space")].filter((word) => word !== "");
  return words.length === 0 ? "no indentation" : words.join(" and ");
}

function count(number: number, noun: string): string {
  return number === 0 ? "" : number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

function ambiguousLines(refusal: Refusal, { path, source, recovery }: FailureContext): string[] {
  const { places = [], detail } = refusal;
  const more = (refusal.count ?? 0) > places.length ? ", …" : "";
  const head = `ambiguous: ${detail} in ${path}: lines ${places.join(", ")}${more}.`;
  if (recovery === "none") return [head];
  const size = Math.max(1, Math.min(3, linesOf(refusal.old ?? "").length));
  const shown = places.slice(0, SHOWN_PLACES).flatMap((first, index) => [
    ...(index > 0 ? ["…"] : []),
    ...numberedLines(source.lines, {
      first: first - AROUND_LINES,
      last: first + size - 1 + AROUND_LINES,
    }),
  ]);
  return [head, ...shown, ...neighbourLines(refusal, source)];
}

/** Names a line beside one of the places that no other place has beside it. */
function neighbourLines(
  { places = [], old = "", count = 0 }: Refusal,
  { lines }: Source,
): string[] {
  if (count > places.length) return [];
  const size = Math.max(1, linesOf(old).length);
  for (const [offset, side] of [[-1, "before"], [size, "after"]] as const) {
    const beside = places.map((place) => {
      const index = place - 1 + offset;
      return index >= 0 && index < lines.count ? trimBlanks(lineText(lines, index)) : "";
    });
    if (beside.every((line) => line !== "") && new Set(beside).size === beside.length) {
      return [
        `The line ${side} it tells them apart: with "${shownLine(beside[0] ?? "")}" it is ` +
        `the one at line ${places[0]}.`,
      ];
    }
  }
  return [];
}

function nextLines(refusal: Refusal, { form }: FailureContext): string[] {
  const old = form === "edit" ? "old_string" : form === "patch" ? "the ORIGINAL part" : "the hunk";
  switch (refusal.reason) {
    case "not_found":
      return ["Next: resend the edit with the file's text, or read the file first."];
    case "ambiguous":
      return form === "edit"
        ? [
          `Next: add a neighbouring line to old_string, or pass replace_all: true for all ${refusal.count}.`,
        ]
        : [
          `Next: add a neighbouring line to ${old}${
            form === "codex" ? ", or a closer @@ anchor" : ""
          }.`,
        ];
    case "placeholder":
      return ["Next: write the code out; nothing may stand for code that is not there."];
    case "no_change":
      return ["Next: nothing, if this is what you want; else send another new text."];
    case "empty_old":
      return [`Next: give ${old} the lines beside the place, or use write_file for a whole file.`];
    case "overlap":
      return ["Next: join the overlapping hunks into one."];
    case "malformed":
      return [
        form === "codex"
          ? CODEX_FORM
          : form === "patch"
          ? PATCH_FORM
          : "Next: send the arguments as described.",
      ];
    case "stale_anchor":
    case "guard_failed":
    case "duplicate_anchor":
      return ["Next: take the anchors from the rows shown, one operation for each."];
    case "unverified":
      return ["Next: use edit_file or patch for this change."];
  }
}

const PATCH_FORM = 'Next: write each hunk as a line "<<<<<<< ORIGINAL", the old lines, ' +
  'a line "=======", the new lines, a line ">>>>>>> UPDATED", and nothing else.';
const CODEX_FORM =
  'Next: write "*** Begin Patch", for each file "*** Update File: PATH" with hunks ' +
  'of "@@", context (" "), removed ("-") and added ("+") lines, then "*** End Patch".';
