import type { Invocation } from "../command_line/parse.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import { EXIT } from "../exit_code.ts";
import { failureOf } from "../failure.ts";
import { Interruption } from "../interruption.ts";
import type { TaskEnd } from "../loop.ts";
import { startAgent } from "../start.ts";
import type { ResultEvent, UsageTotals } from "../events.ts";
import { text } from "../../tools/tool.ts";
import { attachImages } from "../attachments.ts";
import { nobody } from "../gate/approver.ts";
import {
  jsonOutput,
  type Output,
  type OutputStreams,
  streamJsonOutput,
  textOutput,
} from "./output.ts";
import { readPrompt, type StandardInput } from "./prompt_input.ts";
import { onSignals } from "./signals.ts";
import { styleFor } from "./style.ts";

/** The world of a run: what a process has, handed in. */
export interface Host {
  readonly env: ReadVariable;
  /** Absolute. */
  readonly cwd: string;
  readonly stdin: StandardInput;
  readonly streams: OutputStreams;
  readonly stderrIsTerminal: boolean;
  /** Ends the process now; output that is still on its way is lost. */
  exit(code: number): void;
}

const NO_USAGE = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

/** Does one task and tells how it went in the format that was asked for; resolves to the exit code. */
export async function runHeadless(invocation: Invocation, host: Host): Promise<number> {
  const started = performance.now();
  const output = outputFor(invocation.options, host);
  try {
    const { end, usage } = await runOnce(invocation, host, output);
    output.emit(resultEvent(end, usage, performance.now() - started));
    return end.exitCode;
  } catch (error) {
    if (!failureOf(error)) throw error;
    return reportFailure(error, invocation.options, host);
  }
}

/**
 * Tells an expected failure in the format that was asked for; resolves to its exit code.
 * @throws what is no expected failure.
 */
export function reportFailure(error: unknown, options: OptionValues, host: Host): number {
  const failure = failureOf(error);
  if (!failure) throw error;
  const output = outputFor(options, host);
  output.emit({ type: "error", message: failure.message, code: failure.code });
  output.emit(resultEvent({ ...failure, text: "", turns: 0 }, NO_USAGE, 0));
  return failure.exitCode;
}

function resultEvent(end: TaskEnd, usage: UsageTotals, durationMs: number): ResultEvent {
  return {
    type: "result",
    reason: end.reason,
    exit_code: end.exitCode,
    text: end.text,
    turns: end.turns,
    usage,
    duration_ms: Math.round(durationMs),
  };
}

/** How the format that was asked for shows events. */
export function outputFor(options: OptionValues, host: Host): Output {
  const { streams, stderrIsTerminal: isTerminal, env } = host;
  switch (options["output-format"] ?? "text") {
    case "text":
      return textOutput(streams, styleFor({ flag: options.color ?? "auto", isTerminal, env }));
    case "json":
      return jsonOutput(streams);
    case "stream-json":
      return streamJsonOutput(streams, options.deltas ?? false);
  }
}

async function runOnce(
  { options, operands }: Invocation,
  host: Host,
  output: Output,
): Promise<{ end: TaskEnd; usage: UsageTotals }> {
  const prompt = await readPrompt(operands, host.stdin);
  const agent = await startAgent(options, host.env, host.cwd, {
    emit: (event) => output.emit(event),
    note: (line) => output.note(line),
    approve: nobody,
    interactive: false,
  });
  const stop = new AbortController();
  using _signals = onSignals({
    interrupt: (reason) => stop.abort(reason),
    quit: (code) => host.exit(code),
  });
  using _limit = timeLimit(options.timeout, stop);
  host.streams.stdout.closed.addEventListener("abort", () => stop.abort());
  output.emit(agent.started);
  let reason: string = "failed";
  try {
    const images = await attachImages(options.image ?? [], host.cwd, agent.session.blobs);
    const end = await agent.task([text(prompt), ...images], stop.signal);
    reason = end.reason;
    return { end, usage: agent.usage() };
  } finally {
    await agent.close(reason);
  }
}

/** Stops a run when its time is up. */
function timeLimit(seconds: number | undefined, stop: AbortController): Disposable {
  const timer = seconds === undefined ? undefined : setTimeout(
    () => stop.abort(new Interruption("time_limit", EXIT.limit)),
    seconds * 1000,
  );
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
