import { type EditForm, nextLine } from "./advice.ts";
import { placeLines, type Recovery } from "./closest_message.ts";
import { counted, numberedRanges, rangeWords, shownLine } from "./numbered.ts";
import type { Refusal } from "./refusal.ts";
import type { Source } from "./source.ts";
import { isBlank, lineAt, lineEnding, linesOf, lineText, trimBlanks, withBreaks } from "./text.ts";
import { transportLook } from "./transport.ts";

/** What a failure message is made from. */
export interface FailureContext {
  readonly path: string;
  /** The file that was not changed. */
  readonly source: Source;
  readonly form: EditForm;
  /** True when time for the search of the closest place is up. */
  expired(): boolean;
  readonly recovery: Recovery;
}

/** Places that are shown, and lines of each. */
const SHOWN_PLACES = 3;
const MAX_PLACE_LINES = 3;
const TRIED =
  "Not found exactly, nor ignoring line endings, trailing blanks, uniform indentation, " +
  "typographic characters.";

/** Says why an edit was refused, what is there instead, and what to do next; below 40 lines. */
export function failureMessage(refusal: Refusal, context: FailureContext): string {
  return [
    ...hunkLines(refusal),
    ...bodyLines(refusal, context),
    "The file was not changed.",
    nextLine(refusal, context.form),
  ].join("\n");
}

function hunkLines({ hunk, reason, old }: Refusal): string[] {
  if (hunk === undefined) return [];
  const { index, count, fitting } = hunk;
  const others = count === 2
    ? `the other hunk would ${fitting === 1 ? "" : "not "}have gone`
    : `${fitting} of the other ${count - 1} hunks would have gone`;
  const head = `hunk ${index}/${count} failed: ${reason}; ${others}, nothing was written.`;
  const start = old === undefined ? "" : old.slice(0, 100).trimEnd();
  return start === "" ? [head] : [head, "It starts:", ...start.split("\n").slice(0, 6)];
}

function bodyLines(refusal: Refusal, context: FailureContext): string[] {
  switch (refusal.reason) {
    case "not_found":
      return refusal.detail === ""
        ? missLines(refusal, context)
        : [headLine(refusal, context), ...elsewhereLines(refusal, context)];
    case "ambiguous":
      return ambiguousLines(refusal, context);
    default:
      return [headLine(refusal, context)];
  }
}

function headLine({ reason, detail }: Refusal, { path }: FailureContext): string {
  return path === "" ? `${reason}: ${detail}.` : `${reason}: ${detail} (${path}).`;
}

/** The place that a miss of another kind is about, or what is closest to it. */
function elsewhereLines(refusal: Refusal, context: FailureContext): string[] {
  const { places, old, anchor = old } = refusal;
  const { source, recovery } = context;
  if (places !== undefined && recovery !== "none") {
    return numberedRanges(source.lines, places.map((line) => ({ first: line, last: line })));
  }
  if (anchor === undefined) return [];
  return placeLines(linesOf(anchor), source, recovery, () => context.expired());
}

function missLines(refusal: Refusal, context: FailureContext): string[] {
  const { source, path } = context;
  const old = linesOf(refusal.old ?? "");
  const facts = `${counted(source.lines.count, "line")}, ${endingWords(source.text)}`;
  return [
    `not_found: old text (${counted(old.length, "line")}) is not in ${path} (${facts}).`,
    TRIED,
    ...lookLines(refusal),
    ...appliedLines(refusal, context),
    ...placeLines(old, source, context.recovery, () => context.expired()),
  ];
}

function endingWords(text: string): string {
  const ending = lineEnding(text);
  return ending === "mixed" ? "LF and CRLF" : ending === "none" ? "no line break" : ending;
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

function ambiguousLines(refusal: Refusal, { path, source, recovery }: FailureContext): string[] {
  const { places = [], detail, count = 0 } = refusal;
  const more = count > places.length ? ", …" : "";
  const head = `ambiguous: ${detail} in ${path}: ${placeWords(places)}${more}.`;
  if (recovery === "none") return [head];
  const size = refusal.anchor === undefined ? linesOf(refusal.old ?? "").length : 1;
  const ranges = places.slice(0, SHOWN_PLACES).map((first) => ({
    first,
    last: first + Math.max(1, Math.min(MAX_PLACE_LINES, size)) - 1,
  }));
  return [head, ...numberedRanges(source.lines, ranges), ...neighbourLines(refusal, source)];
}

/** Line numbers, each once. */
function placeWords(places: readonly number[]): string {
  const words = [...Map.groupBy(places, (line) => line)]
    .map(([line, { length }]) => length === 1 ? `${line}` : `${line} (${length} times)`);
  return `${words.length === 1 ? "line" : "lines"} ${words.join(", ")}`;
}

/** Names a line beside one of the places that no other place has beside it. */
function neighbourLines(
  { places = [], old = "", count = 0, anchor }: Refusal,
  { lines }: Source,
): string[] {
  if (count > places.length || anchor !== undefined) return [];
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
