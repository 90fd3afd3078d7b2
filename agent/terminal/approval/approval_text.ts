import type { Question } from "../../gate/approver.ts";
import type { Style } from "../style.ts";
import { visible, visibleLine } from "../visible.ts";
import { fold, type FoldLimits } from "./fold.ts";
import { choicesOf } from "./reply.ts";

/** A question as a person reads it, what may be answered apart. */
export interface ApprovalText {
  /** Longer than a screen where much is at stake; to be wrapped by whoever draws them, not cut. */
  readonly lines: readonly string[];
  /** Some of it was left out, and can be asked for. */
  readonly folded: boolean;
}

type Marks = Pick<Style, "bold" | "dim" | "red" | "green">;

/** Of one argument; a script of this length is still read. */
const ARGUMENT: FoldLimits = { lines: 24, characters: 1_000 };

/** Of one argument whose change is shown as a diff below. */
const ARGUMENT_BESIDE_DIFF: FoldLimits = { lines: 3, characters: 200 };

const DIFF: FoldLimits = { lines: 120, characters: 1_000 };

/**
 * What is asked, why, the exact arguments with everything unseen made visible, and the change.
 * `full`: nothing is left out.
 */
export function approvalText(question: Question, style: Marks, full = false): ApprovalText {
  const { tool, by, reason, preview, problem } = question;
  const whose = by === undefined ? "" : ` of ${visibleLine(by)}`;
  const limits = preview === undefined ? ARGUMENT : ARGUMENT_BESIDE_DIFF;
  const parts = argumentsOf(question.arguments).map((lines) => folding(lines, limits, full));
  const diff = folding(visible(preview ?? "").replace(/\n$/, "").split("\n"), DIFF, full);
  return {
    lines: [
      ...(problem === undefined ? [] : [style.red(`Not so: ${visibleLine(problem)}`)]),
      `${style.bold(visibleLine(tool))}${whose} asks: ${visibleLine(reason)}`,
      ...parts.flatMap(({ lines }) => lines),
      ...(preview === undefined ? [] : diff.lines.map((line) => painted(line, style))),
    ],
    folded: [...parts, ...(preview === undefined ? [] : [diff])].some(({ folded }) => folded),
  };
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

function folding(lines: readonly string[], limits: FoldLimits, full: boolean) {
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

function painted(line: string, style: Marks): string {
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.dim(line) : line;
}
