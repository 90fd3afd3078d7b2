import { type EditForm, nextLine } from "./advice.ts";
import { placeLines, type Recovery } from "./closest_message.ts";
import { counted, numberedLines, rangeWords, shownLine } from "./numbered.ts";
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

/** Lines shown on both sides of a place. */
const AROUND_LINES = 2;
const SHOWN_PLACES = 3;
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
  const others = `${hunk.fitting} of the other ${counted(hunk.count - 1, "hunk")} would have gone`;
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
        : [`not_found: ${refusal.detail} (${context.path}).`];
    case "ambiguous":
      return [...ambiguousLines(refusal, context)];
    default:
      return [
        `${refusal.reason}: ${refusal.detail} (${context.path}).`,
      ];
  }
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
