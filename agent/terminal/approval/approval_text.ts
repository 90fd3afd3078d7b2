import type { Question } from "../../gate/approver.ts";
import { renderDiff } from "../render/diff.ts";
import { wrapSpans } from "../render/spans.ts";
import type { View } from "../render/view.ts";
import type { Style } from "../style.ts";
import { visible, visibleLine } from "../visible.ts";
import { fold, type Folded, type FoldLimits } from "./fold.ts";
import { choicesOf } from "./reply.ts";

/** A question as a person reads it, what may be answered apart. */
export interface ApprovalText {
  /**
   * More than a screen where much is at stake. Lines of arguments may be wider than the terminal, and
   * are for it to break: they are not to be cut.
   */
  readonly lines: readonly string[];
  /** Some of it was left out, and can be asked for. */
  readonly folded: boolean;
}

type Marks = Pick<Style, "bold">;

/** Of one argument; a script of this length is still read. */
const ARGUMENT: FoldLimits = { lines: 24, characters: 1_000 };

/** Of one argument whose change is shown as a diff below. */
const ARGUMENT_BESIDE_DIFF: FoldLimits = { lines: 3, characters: 200 };

/** Of the change, in lines on the screen. */
const DIFF_LINES = 120;

/**
 * What is asked, why, the exact arguments with everything unseen made visible, and the change.
 * `full`: nothing is left out.
 */
export function approvalText(question: Question, view: View, full = false): ApprovalText {
  const { style, width } = view;
  const { tool, by, reason, preview, problem } = question;
  const whose = by === undefined ? "" : ` of ${visibleLine(by)}`;
  const limits = preview === undefined ? ARGUMENT : ARGUMENT_BESIDE_DIFF;
  const parts = argumentsOf(question.arguments).map((lines) => folding(lines, limits, full));
  if (preview !== undefined) parts.push(change(preview, view, full));
  const asking = [
    { text: visibleLine(tool), paint: style.bold },
    { text: `${whose} asks: ${visibleLine(reason)}` },
  ];
  return {
    lines: [
      ...(problem === undefined ? [] : [style.red(`Not so: ${visibleLine(problem)}`)]),
      ...wrapSpans(asking, width),
      ...parts.flatMap(({ lines }) => lines),
    ],
    folded: parts.some(({ folded }) => folded),
  };
}

/** The change that a call would make. */
function change(preview: string, view: View, full: boolean): Folded {
  const all = renderDiff(preview, view);
  const lines = full ? all : renderDiff(preview, view, { maxLines: DIFF_LINES });
  return { lines, folded: lines.length < all.length };
}

/** The lines that say what may be answered, by `Run this? [y/N]` or a key. */
export function choiceLines(question: Question, style: Marks, folded: boolean): string[] {
  return choicesOf(question, folded).map(({ key, meaning }) =>
    `  ${style.bold(key)} ${visibleLine(meaning)}`
  );
}

/** The question that the answer is typed behind. */
export function askingLine({ ask }: Pick<Question, "ask">): string {
  return `${visibleLine(ask ?? "Run this?")} [y/N] `;
}

function folding(lines: readonly string[], limits: FoldLimits, full: boolean): Folded {
  return full ? { lines, folded: false } : fold(lines, limits);
}

/** The lines of each argument; the further lines of a text are marked, so that none can pass for an argument. */
function argumentsOf(json: string): string[][] {
  const value = parsed(json);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [[`  ${visibleLine(json)}`]];
  }
  return Object.entries(value).map(([name, value]) => argumentLines(visibleLine(name), value));
}

function argumentLines(name: string, value: unknown): string[] {
  if (typeof value !== "string") return [`  ${name}: ${visibleLine(JSON.stringify(value))}`];
  const [first = "", ...more] = visible(value).split("\n");
  return [`  ${name}: ${first}`, ...more.map((line) => `  | ${line}`)];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
