import type {
  AgentEvent,
  JobEvent,
  ResultEvent,
  ToolCallEvent,
  ToolResultEvent,
  UsageTotals,
} from "../events.ts";
import { printable, stripControls } from "./printable.ts";
import { tellingArgument } from "./render/telling_argument.ts";
import type { Style } from "./style.ts";
import type { TextStream } from "./stream.ts";
import { visibleLine } from "./visible.ts";
import { childText } from "./child_text.ts";
import { windowText } from "./window_text.ts";

export { printable, stripControls };

/** Shows a run: the answer on stdout, everything else on stderr. */
export interface Output {
  emit(event: AgentEvent): void;
  /** A line for people, outside the events. */
  note(line: string): void;
  /** The same for what a person must not miss. */
  alarm(line: string): void;
}

export interface OutputStreams {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
}

/** `--output-format text`: the last answer alone on stdout, progress on stderr in `style`. */
export function textOutput({ stdout, stderr }: OutputStreams, style: Style): Output {
  const line = (text: string) => stderr.write(`${printable(text)}\n`);
  // The last message is the answer and goes to stdout; those before calls are progress.
  let said = "";
  const whose = new ResultOwners();
  return {
    ...sentencesTo(stderr, style),
    emit(event) {
      switch (event.type) {
        case "text":
          said = event.text;
          return;
        case "tool_call":
          if (said) stderr.write(`${stripControls(said)}\n`);
          said = "";
          whose.called(event);
          return stderr.write(`${style.bold(`> ${visibleLine(callLine(event))}`)}\n`);
        case "tool_result": {
          const owner = visibleLine(whose.answered(event.call_id));
          return stderr.write(`${style.dim(`  ${owner}${printable(resultLine(event))}`)}\n`);
        }
        case "approval":
          return line(visibleLine(`  ${event.decision}: ${event.reason}`));
        case "retry":
          return line(retryLine(event.attempt, event.delay_ms, event.reason));
        case "user":
          if (said) stderr.write(`${stripControls(said)}\n`);
          said = "";
          return stderr.write(`${style.bold(`you: ${printable(event.text)}`)}\n`);
        case "compaction":
        case "compaction_failed":
        case "left_out":
          return line(windowText(event) ?? "");
        case "job":
          if (event.state === "stopped") line(stoppedJobLine(event));
          return;
        case "child":
          if (event.state !== "queued") line(childText(event));
          return;
        case "error":
          return stderr.write(`${style.red("error:")} ${printable(event.message)}\n`);
        case "result":
          // In a conversation the next turn may begin with a call and no words.
          said = "";
          if (event.text) stdout.write(`${stripControls(event.text)}\n`);
          if (event.turns > 0) stderr.write(`${style.dim(summaryLine(event))}\n`);
          return;
        case "session":
        case "turn":
        case "text_delta":
        case "reasoning":
        case "reasoning_delta":
        case "tool_progress":
        case "usage":
          return;
      }
    },
  };
}

/** `--output-format json`: the result object alone on stdout; errors and what is beside on stderr. */
export function jsonOutput({ stdout, stderr }: OutputStreams, style: Style): Output {
  return {
    ...sentencesTo(stderr, style),
    emit(event) {
      if (event.type === "result") stdout.write(jsonLine(event));
      if (event.type === "error") {
        stderr.write(`${style.red("error:")} ${printable(event.message)}\n`);
      }
      tellBeside(event, stderr);
    },
  };
}

/** Events that come as wholes, too. */
const PIECES: readonly AgentEvent["type"][] = ["text_delta", "reasoning_delta", "tool_progress"];

/** `--output-format stream-json`: every event as a line on stdout; what is beside on stderr, too. */
export function streamJsonOutput(
  { stdout, stderr }: OutputStreams,
  style: Style,
  deltas: boolean,
): Output {
  return {
    ...sentencesTo(stderr, style),
    emit(event) {
      if (!deltas && PIECES.includes(event.type)) return;
      stdout.write(jsonLine(event));
      tellBeside(event, stderr);
    },
  };
}

/** What is said to people outside the events, each sentence on a line. */
function sentencesTo(stderr: TextStream, style: Style): Pick<Output, "note" | "alarm"> {
  return {
    note: (text) => stderr.write(`${printable(text)}\n`),
    alarm: (text) => stderr.write(`${style.red(printable(text))}\n`),
  };
}

/** Tells a person who watches a program's run why it takes long, or lost something. */
function tellBeside(event: AgentEvent, stderr: TextStream): void {
  const line = event.type === "retry"
    ? retryLine(event.attempt, event.delay_ms, event.reason)
    : event.type === "job" && event.state === "stopped"
    ? stoppedJobLine(event)
    : windowText(event);
  if (line !== undefined) stderr.write(`${printable(line)}\n`);
}

/** An event as its line: LF only, and nothing inside that a reader could take for a line end. */
function jsonLine(event: AgentEvent): string {
  const json = JSON.stringify(event).replaceAll("\u2028", "\\u2028").replaceAll(
    "\u2029",
    "\\u2029",
  );
  return `${json}\n`;
}

/** A tool call in one line, by what tells most of it; not yet safe to print. */
export function callLine(
  { name, arguments: args }: Pick<ToolCallEvent, "name" | "arguments">,
): string {
  const { text, moreLines } = tellingArgument(args);
  const more = moreLines === 0
    ? ""
    : ` (and ${moreLines} more ${moreLines === 1 ? "line" : "lines"})`;
  return `${name} ${firstLine(text)}`.trimEnd() + more;
}

/** Tells whose a result is where it does not stand right below its call: calls run side by side. */
class ResultOwners {
  readonly #open = new Map<string, string>();
  #last: string | undefined;

  called(event: ToolCallEvent): void {
    this.#open.set(event.call_id, callLine(event));
    this.#last = event.call_id;
  }

  /** What goes before the result: nothing, or its call. */
  answered(callId: string): string {
    const owner = callId === this.#last ? undefined : this.#open.get(callId);
    this.#open.delete(callId);
    this.#last = undefined;
    return owner === undefined ? "" : `${owner}: `;
  }
}

/**
 * The last line of a result, where its markers are, and how many there are; of text from outside
 * that ends with its fence the first one within, as a title.
 */
function resultLine({ text }: ToolResultEvent): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const more = lines.length > 1 ? ` (${lines.length} lines)` : "";
  const last = lines.at(-1) ?? "";
  const told = FENCE_END.test(last) ? lines[1] ?? last : last;
  return `${firstLine(told)}${more}`;
}

/** The last line of what tools show of the web (`tools/web/outside.ts`). */
const FENCE_END = /^\[end [\da-f]{8}\]$/;

/** Tokens and cost in words. */
export function usageText({ input_tokens, output_tokens, cost_usd }: UsageTotals): string {
  const cost = cost_usd === undefined ? "" : `, $${cost_usd.toFixed(4)}`;
  return `${input_tokens} tokens in, ${output_tokens} out${cost}`;
}

function summaryLine({ reason, turns, usage, duration_ms }: ResultEvent): string {
  const seconds = (duration_ms / 1000).toFixed(1);
  const count = `${turns} ${turns === 1 ? "turn" : "turns"}`;
  return `${reason.replaceAll("_", " ")}: ${count}, ${usageText(usage)}, ${seconds} s`;
}

function stoppedJobLine({ job_id, command }: JobEvent): string {
  return `job ${job_id} still ran and was ended: ${firstLine(command)}`;
}

function retryLine(attempt: number, delayMs: number, reason: string): string {
  return `retry ${attempt} in ${(delayMs / 1000).toFixed(1)} s: ${reason}`;
}

function firstLine(text: string): string {
  const [first = ""] = text.split("\n");
  return first.length > 160 ? `${first.slice(0, 160)}…` : first;
}
