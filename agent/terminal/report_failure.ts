import type { OptionValues } from "../command_line/options.ts";
import type { Failure } from "../failure.ts";
import type { Host } from "./headless.ts";
import { jsonOutput, type Output, streamJsonOutput, textOutput } from "./output.ts";
import { NO_USAGE, resultEvent } from "./result_event.ts";
import { styleFor } from "./style.ts";

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
