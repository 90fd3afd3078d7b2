import type { OptionValues } from "../command_line/options.ts";
import { EXIT } from "../exit_code.ts";
import { type Interruption, interruptionOf } from "../interruption.ts";
import { serveTools } from "../mcp/serve/serve.ts";
import type { Host } from "./headless.ts";
import { stripControls } from "./printable.ts";
import { onSignals } from "./signals.ts";

/**
 * `cordon mcp serve`: our tools for another agent, over standard input and output; resolves to the
 * exit code when the client has left. On stdout is nothing but the protocol.
 */
export async function runServe(options: OptionValues, host: Host): Promise<number> {
  const { stderr } = host.streams;
  const stop = new AbortController();
  using _signals = onSignals({
    interrupt: (reason) => stop.abort(reason),
    quit: (reason: Interruption) => host.exit(reason.exitCode),
  });
  const broken = await serveTools(options, {
    env: host.env,
    cwd: host.cwd,
    warn: (line) => stderr.write(`warning: ${stripControls(line)}\n`),
  }, {
    readable: host.stdin.readable,
    writable: Deno.stdout.writable,
    signal: stop.signal,
  });
  if (stop.signal.aborted) return interruptionOf(stop.signal).exitCode;
  if (broken === undefined) return EXIT.done;
  stderr.write(`error: Cannot go on with the client: ${stripControls(broken.message)}\n`);
  return EXIT.failed;
}
