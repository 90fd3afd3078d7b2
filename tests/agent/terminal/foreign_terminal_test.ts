import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isForeign } from "../../../agent/terminal/foreign_terminal.ts";
import { startCordon } from "../../helpers/cordon.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { hasTerminal } from "../../helpers/terminal.ts";

const READ_LINE = import.meta.resolve("../../../agent/terminal/read_line.ts");

Deno.test("isForeign() tells a terminal that cannot be opened anew", () => {
  const cases: [uid: number, mode: number, ownUid: number | undefined, foreign: boolean][] = [
    [1000, 0o20620, 1001, true],
    [0, 0o20620, 1001, true],
    [1000, 0o20622, 1001, true],
    [1000, 0o20666, 1001, false],
    [1000, 0o20620, 1000, false],
    [1000, 0o20620, 0, false],
    [1000, 0o20620, undefined, false],
  ];
  for (const [uid, mode, ownUid, foreign] of cases) {
    strictEqual(isForeign({ uid, mode }, ownUid), foreign, `${uid} ${mode.toString(8)} ${ownUid}`);
  }
});

Deno.test("a foreign terminal gives line after line, and the program goes on between", {
  ignore: !await hasTerminal(),
}, async () => {
  const program = `
    import { terminalLines } from ${JSON.stringify(READ_LINE)};
    const lines = terminalLines(() => {}, true);
    const never = new AbortController().signal;
    for (const name of ["first", "second"]) {
      const line = await lines(name + "? ", never);
      await new Promise((resolve) => setTimeout(resolve, 1));
      console.log(name + " is " + line);
    }
    console.log("end is " + await lines("third? ", never));
    Deno.exit(7);
  `;
  await using dir = await tempDir({ "program.ts": program });
  const running = await startCordon(["run", "-A", "--no-prompt", dir.join("program.ts")], {
    cwd: dir.path,
    binary: Deno.execPath(),
    terminal: true,
  });
  await running.saw("first? ");
  await running.write("one\r");
  await running.saw("first is one");
  await running.saw("second? ");
  await running.write("twx\x7fo\r");
  await running.saw("second is two");
  await running.saw("third? ");
  await running.write("\x04");
  const { code, stdout } = await running.ended;
  deepStrictEqual([code, stdout.includes("end is undefined")], [7, true], stdout);
});
