import type { OptionValues } from "../command_line/options.ts";
import { UsageError } from "../command_line/parse.ts";
import { EXIT } from "../exit_code.ts";
import { interruptionOf } from "../interruption.ts";
import { prepareLaunch } from "../launch.ts";
import { logIn } from "../mcp/oauth/log_in.ts";
import { TokenStore } from "../mcp/oauth/token_store.ts";
import { isStdio } from "../mcp/server_schema.ts";
import type { McpServer } from "../mcp/servers.ts";
import type { Host } from "./headless.ts";
import { printable, stripControls } from "./printable.ts";
import { terminalLines } from "./read_line.ts";
import { onSignals } from "./signals.ts";

/** A person who does not come back in this time has given up, in milliseconds. */
const PATIENCE_MS = 600_000;

/**
 * `cordon mcp login NAME`: logs a person in to a server on the web by their browser; resolves to the
 * exit code.
 * @throws {UsageError} where the server is none that people log in to.
 */
export async function runLogin(
  options: OptionValues,
  { name, settings }: McpServer,
  host: Host,
): Promise<number> {
  if (isStdio(settings)) throw new UsageError(`Cannot log in to "${name}": it is a program`);
  const launch = await prepareLaunch(options, host.env, host.cwd);
  const { state } = launch.places;
  if (state === undefined) {
    throw new UsageError("Cannot keep a log-in: no folder for it is known, name it by --state");
  }
  const { stdout, stderr } = host.streams;
  const stop = new AbortController();
  using _signals = onSignals({
    interrupt: (reason) => stop.abort(reason),
    quit: (reason) => host.exit(reason.exitCode),
  });
  try {
    const done = await logIn(settings, {
      ...{ launch, env: host.env, store: new TokenStore(state) },
      learn() {},
      log: (event) => {
        if (event.type === "refused") stderr.write(`warning: ${stripControls(event.message)}\n`);
      },
      show: (url) => stderr.write(`Open this address in a browser, and log in:\n${url.href}\n`),
      agrees: (asked) => agrees(name, asked, host, stop.signal),
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    const words = done === "done" ? "Logged in to" : "No log-in is needed for";
    stdout.write(`${words} ${printable(name)}\n`);
    return EXIT.done;
  } catch (error) {
    if (stop.signal.aborted) return interruptionOf(stop.signal).exitCode;
    const why = error instanceof Error ? error.message : String(error);
    stderr.write(`error: Cannot log in to "${printable(name)}": ${stripControls(why)}\n`);
    return EXIT.failed;
  }
}

async function agrees(
  name: string,
  asked: string,
  { stdin, streams }: Host,
  signal: AbortSignal,
): Promise<boolean> {
  if (!stdin.isTerminal) return false;
  await streams.stderr.flush();
  const question = `${printable(name)} sends you to ${asked} to log in. Go there? [y/N] `;
  const answer = await terminalLines(() => {})(question, signal, { aside: true });
  return /^(y|yes)$/i.test(answer?.trim() ?? "");
}
