import { type Todo, todoWrite } from "../../../tools/todo_write.ts";
import type { ToolResultEvent } from "../../events.ts";
import type { Paint } from "../style.ts";
import { callHeader, type CallView } from "./call_header.ts";
import { cutToWidth, drawableLines } from "./columns.ts";
import { renderDiff } from "./diff.ts";
import { breakSpans, wrapSpans } from "./spans.ts";
import { renderTodos, todoProgress } from "./todo.ts";
import { type CallState, factsOf, outcomeOf } from "./tool_call.ts";
import { MIN_WIDTH, narrowed, widthOf } from "./view.ts";

/** Lines of output that a running call shows: its last ones. */
const RUNNING_LINES = 3;

/** Of a call that has ended: its first and its last lines of output. */
const FIRST_LINES = 2;
const LAST_LINES = 4;

/** Of an edit's diff. */
const DIFF_LINES = 24;

/** Inner calls that are shown, the last ones: a program may make thousands. */
const INNER_CALLS = 5;

/** Columns that what a call says stands to the right. */
const INDENT = 2;

/** Tools whose answer is for the model: a person is told how long it is. */
const QUIET = ["read_file", "list_dir", "glob", "grep", "view_anchored", "skill"];

/**
 * A call as lines: the one that names it and grows, below it the calls that it made itself, the end
 * of its output while it runs, and then what came of it. Pure.
 */
export function renderCall(call: CallState, view: CallView): string[] {
  const body = bodyOf(call, insideOf(view));
  return [
    callHeader(call, aboutOf(call), view),
    ...innerLines(call, view),
    ...body.map((line) => line === "" ? "" : indented(line, view)),
  ];
}

function innerLines({ inner }: CallState, view: CallView): string[] {
  const shown = view.expanded ? inner : inner.slice(-INNER_CALLS);
  const hidden = inner.length - shown.length;
  const inside = insideOf(view);
  return [
    ...(hidden === 0 ? [] : [moreLine(hidden, "earlier call", inside)]),
    ...shown.flatMap((call) => renderCall(call, inside)),
  ].map((line) => indented(line, view));
}

/** What is told of the result in the line of the call. */
function aboutOf({ name, result }: CallState): string {
  if (result === undefined || result.is_error) return "";
  const todos = todosIn(result);
  if (todos) return todoProgress(todos);
  if (!isQuiet(name, result)) return "";
  const count = drawableLines(result.text).length;
  return count === 1 ? "1 line" : `${count} lines`;
}

function bodyOf(call: CallState, view: CallView): string[] {
  const { result, output } = call;
  if (result === undefined) return runningLines(output, view);
  if (result.is_error) return errorLines(result.text.replace(/^Error: /, ""), view);
  const todos = todosIn(result);
  if (todos) return renderTodos(todos, view);
  if (result.diff !== undefined) {
    return renderDiff(result.diff, view, view.expanded ? {} : { maxLines: DIFF_LINES });
  }
  if (isQuiet(call.name, result) && !view.expanded) return [];
  return outputLines(result, view, outcomeOf(call) === "no");
}

function runningLines(output: string, view: CallView): string[] {
  if (output === "") return [];
  const lines = drawableLines(output);
  const shown = view.expanded ? lines : lines.slice(-RUNNING_LINES);
  return shown.flatMap((line) => fitted(line, view, view.style.dim));
}

function errorLines(text: string, view: CallView): string[] {
  const { style } = view;
  const lines = drawableLines(text).flatMap((line) =>
    wrapSpans([{ text: line, paint: style.red }], widthOf(view))
  );
  return folded(lines, view);
}

function outputLines(result: ToolResultEvent, view: CallView, isNo: boolean): string[] {
  const { style } = view;
  const told = factsOf(result)["exit_code"];
  // How it ended stands in the line of the call.
  const lines = drawableLines(result.text).filter((line) => line !== `[exit code: ${told}]`);
  while (lines[0]?.trim() === "") lines.shift();
  if (lines.length === 0) return [];
  const paint = (line: string): Paint | undefined =>
    !/^\[[^\]]+\]$/.test(line) ? undefined : isNo ? style.yellow : style.dim;
  return foldedLines(lines, view).flatMap((part) =>
    typeof part === "string"
      ? fitted(part, view, paint(part))
      : [moreLine(part.hidden, "line", view)]
  );
}

/** The first and the last lines, and how many stand between. */
function foldedLines(lines: readonly string[], view: CallView): (string | { hidden: number })[] {
  // A note in place of a single line would save nothing.
  if (view.expanded || lines.length <= FIRST_LINES + LAST_LINES + 1) return [...lines];
  const hidden = lines.length - FIRST_LINES - LAST_LINES;
  return [...lines.slice(0, FIRST_LINES), { hidden }, ...lines.slice(-LAST_LINES)];
}

function folded(lines: readonly string[], view: CallView): string[] {
  return foldedLines(lines, view).map((part) =>
    typeof part === "string" ? part : moreLine(part.hidden, "line", view)
  );
}

/** A line of output: whole where all is shown, else cut. */
function fitted(line: string, view: CallView, paint: Paint | undefined): string[] {
  if (view.expanded) return breakSpans([{ text: line, paint }], widthOf(view));
  const cut = cutToWidth(line, widthOf(view), view.style.unicode);
  return [paint === undefined || cut === "" ? cut : paint(cut)];
}

function moreLine(count: number, what: string, view: CallView): string {
  const { style } = view;
  const text = `${style.unicode ? "…" : "..."} ${count} ${what}${count === 1 ? "" : "s"}`;
  return style.dim(cutToWidth(text, widthOf(view), style.unicode));
}

function isQuiet(name: string, result: ToolResultEvent): boolean {
  const { ok, found } = factsOf(result);
  return QUIET.includes(name) && ok !== false && found !== false && result.value !== null;
}

function todosIn({ name, value }: ToolResultEvent): readonly Todo[] | undefined {
  if (name !== todoWrite.name) return undefined;
  const parsed = todoWrite.result.parse(value);
  return parsed.ok ? parsed.value.todos : undefined;
}

function insideOf(view: CallView): CallView {
  return { ...view, ...narrowed(view, INDENT) };
}

/** In a terminal without room for it nothing is indented. */
function indented(line: string, view: CallView): string {
  return widthOf(view) - INDENT < MIN_WIDTH ? line : " ".repeat(INDENT) + line;
}
