import { type ServedEditor, serveEditor } from "../acp/serve_editor.ts";
import type { OptionValues } from "../command_line/options.ts";
import { EXIT } from "../exit_code.ts";
import { interruptionOf } from "../interruption.ts";
import type { Host } from "./headless.ts";
import { stripControls } from "./printable.ts";
import { onSignals } from "./signals.ts";

/**
 * `cordon acp`: an agent for an editor, over standard input and output; resolves to the exit code
 * when the editor has left. On stdout is nothing but the protocol.
 */
export async function runAcp(options: OptionValues, host: Host): Promise<number> {
  const { stderr } = host.streams;
  const stop = new AbortController();
  const serving: { editor?: ServedEditor } = {};
  using _signals = onSignals({
    interrupt: (reason) => stop.abort(reason),
    async quit(reason) {
      await serving.editor?.abandon();
      host.exit(reason.exitCode);
    },
  });
  serving.editor = serveEditor(
    options,
    {
      env: host.env,
      cwd: host.cwd,
      log: (line) => stderr.write(`${stripControls(line)}\n`),
    },
    { readable: host.stdin.readable, writable: Deno.stdout.writable },
    stop.signal,
  );
  await serving.editor.ended;
  return stop.signal.aborted ? interruptionOf(stop.signal).exitCode : EXIT.done;
}
