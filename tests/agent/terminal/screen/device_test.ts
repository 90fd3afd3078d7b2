import { match } from "node:assert/strict";
import { hasTerminal } from "../../../helpers/terminal.ts";
import { tempDir } from "../../../helpers/temp_dir.ts";

const ignore = !await hasTerminal();

/** A program that takes the terminal, and then ends in some way. */
function program(ending: string): string {
  const device = import.meta.resolve("../../../../agent/terminal/screen/device.ts");
  const stream = import.meta.resolve("../../../../agent/terminal/stream.ts");
  return `import { TerminalDevice } from "${device}";
import { textStream } from "${stream}";
const device = new TerminalDevice(textStream(Deno.stdout), "xterm");
device.open({ onKey() {}, onChange() {}, onEnd() {} });
setTimeout(() => { ${ending} });
`;
}

Deno.test("TerminalDevice gives the terminal back", { ignore }, async (t) => {
  const cases: [name: string, ending: string][] = [
    ["when it is disposed", "device[Symbol.dispose](); Deno.exit(0);"],
    ["when the process exits", "Deno.exit(3);"],
    ["when an error is thrown that nobody catches", 'throw new Error("lost");'],
    ["when a promise is rejected that nobody waits for", 'Promise.reject(new Error("lost"));'],
  ];
  for (const [name, ending] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "program.ts": program(ending) });
      const line = `'${Deno.execPath()}' run -A --no-check '${dir.join("program.ts")}'; stty -a`;
      const { stdout } = await new Deno.Command("script", {
        args: ["-qec", line, "/dev/null"],
        stdin: "null",
      }).output();
      const shown = new TextDecoder().decode(stdout);
      // Pastes are marked, and then no longer; lines are edited by the terminal again.
      // deno-lint-ignore no-control-regex -- this is what is written to terminals
      match(shown, /\x1b\[\?2004h[^]*\x1b\[\?2004l/);
      match(shown, / icanon /);
    });
  }
});
