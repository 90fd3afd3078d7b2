import type { BatchEvent } from "../batch/batch_run.ts";
import type { TaskResult } from "../batch/result.ts";
import type { Tally } from "../batch/tally.ts";
import type { OptionValues } from "../command_line/options.ts";
import { EXIT } from "../exit_code.ts";
import { cutToWidth } from "./render/columns.ts";
import { elapsedText } from "./render/elapsed.ts";
import type { Host } from "./headless.ts";
import { styleFor } from "./style.ts";
import { terminalSize } from "./terminal_size.ts";
import { visibleLine } from "./visible.ts";

/** Shows how a batch goes on: on stderr for people, and the results on stdout for programs. */
export interface BatchProgress extends Disposable {
  /** Something has happened, in a batch of so many tasks. */
  emit(event: BatchEvent, tally: Pick<Tally, "done" | "failed">, tasks: number): void;
  /** A line for people; the same one is told once, however many runs say it. */
  note(line: string): void;
  /** The same for what a person must not miss. */
  alarm(line: string): void;
}

/** Goes back to the beginning of the line, and clears it (ECMA-48: EL). */
const CLEAR_LINE = "\r\x1b[K";

/** A batch's progress on this process's streams. */
export function batchProgress(options: OptionValues, host: Host): BatchProgress {
  const { streams: { stdout, stderr }, stderrIsTerminal: isTerminal, env } = host;
  const style = styleFor({ flag: options.color ?? "auto", isTerminal, env });
  const redraws = isTerminal && (env("TERM") || "dumb") !== "dumb";
  const asEvents = options["output-format"] === "stream-json";
  const running = new Set<string>();
  let drawn = false;

  function line(text: string): void {
    stderr.write(`${drawn ? CLEAR_LINE : ""}${text}\n`);
    drawn = false;
  }

  function draw(text: string): void {
    stderr.write(
      `${CLEAR_LINE}${style.dim(cutToWidth(text, terminalSize().columns - 1, style.unicode))}`,
    );
    drawn = true;
  }

  const alarm = oncePer((text) => line(style.red(visibleLine(text))));
  return {
    emit(event, tally, tasks) {
      follow(event, running);
      if (event.type === "ended" && event.isKept && asEvents) {
        stdout.write(`${JSON.stringify({ type: "task", ...event.result })}\n`);
      }
      const text = eventLine(event, redraws);
      if (text !== undefined) {
        const failed = event.type === "ended" && event.result.exit_code !== EXIT.done;
        line(failed ? style.red(text) : text);
      }
      if (redraws) draw(progressLine(tally, tasks, [...running]));
    },
    note: oncePer((text) => line(visibleLine(text))),
    alarm,
    [Symbol.dispose]() {
      if (drawn) stderr.write(CLEAR_LINE);
      drawn = false;
    },
  };
}

/** Lines of which it is known that they were told, at the most. */
const MAX_KNOWN = 256;

/** Tells lines on, each once, as long as not too many others came between. */
function oncePer(tell: (line: string) => void): (line: string) => void {
  const known = new Set<string>();
  return (line) => {
    if (known.has(line)) return;
    const [oldest] = known;
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    known.add(line);
    tell(line);
  };
}

function follow(event: BatchEvent, running: Set<string>): void {
  switch (event.type) {
    case "started":
      running.add(event.id);
      return;
    case "waiting":
      running.delete(event.id);
      return;
    case "ended":
      running.delete(event.result.id);
      return;
  }
}

/** A line that stays; where one line shows all of it, only what went wrong has its own. */
function eventLine(event: BatchEvent, redraws: boolean): string | undefined {
  switch (event.type) {
    case "started":
      return undefined;
    case "waiting":
      return `${visibleLine(event.id)}: again in ${elapsedText(event.ms)}: ${
        visibleLine(event.why)
      }`;
    case "ended":
      return redraws && event.result.exit_code === EXIT.done ? undefined : resultLine(event.result);
  }
}

function resultLine({ id, reason, turns, duration_ms, usage, error }: TaskResult): string {
  const cost = usage.cost_usd === undefined ? "" : `, $${usage.cost_usd.toFixed(4)}`;
  const why = error === undefined ? "" : `: ${visibleLine(error)}`;
  const count = `${turns} ${turns === 1 ? "turn" : "turns"}`;
  return `${visibleLine(id)}: ${reason}, ${count}, ${elapsedText(duration_ms)}${cost}${why}`;
}

/** All of a batch in one line. Pure. */
export function progressLine(
  { done, failed }: Pick<Tally, "done" | "failed">,
  tasks: number,
  running: readonly string[],
): string {
  const parts = [
    `${done + failed}/${tasks}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(running.length > 0 ? [`running: ${running.map(visibleLine).join(", ")}`] : []),
  ];
  return parts.join("  ");
}
