import type { Style } from "../style.ts";
import { columnsOf, cutToWidth, drawable, expandTabs } from "./columns.ts";
import { elapsedText, runningText } from "./elapsed.ts";
import { spinnerFrame } from "./spinner.ts";
import { tellingArgument } from "./telling_argument.ts";
import { type CallState, durationOf, factsOf, outcomeOf } from "./tool_call.ts";
import { type View, widthOf } from "./view.ts";

/** What a call is drawn for. */
export interface CallView extends View {
  /** The time now, on the clock of the calls, in milliseconds. */
  readonly nowMs: number;
  /** Counts the frames of the spinner; without it what runs has a mark that stands still. */
  readonly tick?: number | undefined;
  /** All of what is known is shown. */
  readonly expanded?: boolean | undefined;
}

/** A longer argument keeps this many columns as long as there is something to leave out. */
const MIN_ARGUMENT = 4;

/**
 * The line of a call: mark, tool, what it is about, how it ended and how long it took; `note` is told
 * of the result.
 */
export function callHeader(call: CallState, note: string, view: CallView): string {
  const { style } = view;
  const width = widthOf(view);
  const name = cutToWidth(oneLine(call.name), width - 2, style.unicode);
  const about = tellingArgument(call.arguments);
  const whole = oneLine(about.text);
  const least = whole === "" ? 0 : Math.min(MIN_ARGUMENT, columnsOf(whole)) + 2;
  const facts = fitting(factTexts(call, note, view), width - 2 - columnsOf(name) - least);
  const taken = facts.reduce((sum, fact) => sum + columnsOf(fact) + 2, 0);
  const room = width - 2 - columnsOf(name) - taken - 2;
  const argument = cutBefore(whole, moreText(about.moreLines), room, style.unicode);
  const parts = [
    `${markOf(call, view)} ${style.bold(name)}`,
    ...(argument === "" || room < 1 ? [] : [argument]),
    ...facts.map((fact) => paintFact(call, fact, style)),
  ];
  return parts.join("  ");
}

/** What is told behind the argument, the least important last. */
function factTexts(call: CallState, note: string, { nowMs }: CallView): string[] {
  const duration = durationOf(call, nowMs);
  const time = call.result === undefined
    ? duration < 1000 ? "" : runningText(duration)
    : duration < 100
    ? ""
    : elapsedText(duration);
  return [endText(call), time, note].filter((text) => text !== "");
}

/** Text cut to `width` columns with `end` behind it, where both have room. */
function cutBefore(text: string, end: string, width: number, unicode: boolean): string {
  const room = width - columnsOf(end);
  return room < MIN_ARGUMENT
    ? cutToWidth(text, width, unicode)
    : cutToWidth(text, room, unicode) + end;
}

function moreText(lines: number): string {
  return lines === 0 ? "" : ` (+${lines} ${lines === 1 ? "line" : "lines"})`;
}

function endText({ result }: CallState): string {
  if (result === undefined) return "";
  const { exit_code, signal, timed_out, job_id, running } = factsOf(result);
  if (running === true && typeof job_id === "string") return `job ${job_id}`;
  if (timed_out === true) return "timed out";
  if (typeof signal === "string") return signal;
  return typeof exit_code === "number" && exit_code !== 0 ? `exit ${exit_code}` : "";
}

function fitting(facts: readonly string[], width: number): string[] {
  for (let count = facts.length; count > 0; count--) {
    const shown = facts.slice(0, count);
    const taken = shown.reduce((sum, fact) => sum + columnsOf(fact) + 2, 0);
    if (taken <= width) return shown;
  }
  return [];
}

function paintFact(call: CallState, fact: string, style: Style): string {
  return fact === endText(call) && outcomeOf(call) !== "done" ? style.red(fact) : style.dim(fact);
}

/** Each state has a form of its own: colours may be missing, and not everybody sees them. */
function markOf(call: CallState, { style, tick }: CallView): string {
  switch (outcomeOf(call)) {
    case "running":
      if (tick !== undefined) return style.cyan(spinnerFrame(tick, style.unicode));
      return style.cyan(style.unicode ? "○" : "-");
    case "done":
      return style.green(style.unicode ? "●" : "*");
    case "no":
      return style.yellow(style.unicode ? "✗" : "x");
    case "error":
      return style.red(style.unicode ? "✗" : "x");
  }
}

function oneLine(text: string): string {
  return expandTabs(drawable(text).replaceAll("\n", " ")).trim();
}
