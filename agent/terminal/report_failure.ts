import type { OptionValues } from "../command_line/options.ts";
import type { ResultEvent, UsageTotals } from "../events.ts";
import type { Failure } from "../failure.ts";
import type { TaskEnd } from "../loop/loop.ts";
import type { Host } from "./headless.ts";
import { jsonOutput, type Output, streamJsonOutput, textOutput } from "./output.ts";
import { styleFor } from "./style.ts";

/** What was used before anything was asked. */
export const NO_USAGE = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
};

/** Tells a failure in the format that was asked for; its exit code. */
export function reportFailure(failure: Failure, options: OptionValues, host: Host): number {
  const output = outputFor(options, host);
  tellFailure(failure, output, host);
  output.emit(resultEvent({ ...failure, text: "", turns: 0 }, NO_USAGE));
  return failure.exitCode;
}

/** Tells a failure, with its stack where nobody expected it. */
export function tellFailure({ message, code, stack }: Failure, output: Output, host: Host): void {
  if (stack !== undefined) host.streams.stderr.write(`${stack}\n`);
  output.emit({ type: "error", message, code });
}

/** The last event of a run. The time is that of the process, which does nothing but this run. */
export function resultEvent(end: TaskEnd, usage: UsageTotals): ResultEvent {
  return {
    type: "result",
    reason: end.reason,
    exit_code: end.exitCode,
    text: end.text,
    turns: end.turns,
    usage,
    duration_ms: Math.round(performance.now()),
  };
}

/** How the format that was asked for shows events. */
export function outputFor(options: OptionValues, host: Host): Output {
  const { streams, stderrIsTerminal: isTerminal, env } = host;
  const style = styleFor({ flag: options.color ?? "auto", isTerminal, env });
  switch (options["output-format"] ?? "text") {
    case "text":
      return textOutput(streams, style);
    case "json":
      return jsonOutput(streams, style);
    case "stream-json":
      return streamJsonOutput(streams, style, options.deltas ?? false);
  }
}
