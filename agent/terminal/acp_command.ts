import { type ServedEditor, serveEditor } from "../acp/serve_editor.ts";
import type { OptionValues } from "../command_line/options.ts";
import { EXIT } from "../exit_code.ts";
import { interruptionOf } from "../interruption.ts";
import type { Host } from "./headless.ts";
import { stripControls } from "./printable.ts";
import { onSignals } from "./signals.ts";

/** For people who start it themselves. */
const FOR_EDITORS =
  "cordon acp speaks the Agent Client Protocol: an editor starts it, and Ctrl-D ends it";

/**
 * `cordon acp`: an agent for an editor, over standard input and output; resolves to the exit code
 * when the editor has left. On stdout is nothing but the protocol.
 */
export async function runAcp(options: OptionValues, host: Host): Promise<number> {
  const { env, cwd, stdin, streams: { stderr } } = host;
  const stop = new AbortController();
  const serving: { editor?: ServedEditor } = {};
  using _signals = onSignals({
    interrupt: (reason) => stop.abort(reason),
    async quit(reason) {
      await serving.editor?.abandon();
      host.exit(reason.exitCode);
    },
  });
  const log = (line: string) => stderr.write(`${stripControls(line)}\n`);
  if (stdin.isTerminal) log(FOR_EDITORS);
  const streams = { readable: stdin.readable, writable: Deno.stdout.writable };
  serving.editor = serveEditor(options, { env, cwd, log }, streams, stop.signal);
  const broken = await serving.editor.ended;
  if (stop.signal.aborted) return interruptionOf(stop.signal).exitCode;
  if (broken === undefined) return EXIT.done;
  log(`error: Cannot go on with the editor: ${broken.message}`);
  return EXIT.failed;
}
