import { deepStrictEqual, ok } from "node:assert/strict";
import { tmuxTool } from "../../tools/tmux.ts";
import { BOTH_COMMANDS } from "../helpers/both_commands.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { gone, processesWith } from "../helpers/processes.ts";
import { pythonCells } from "../helpers/python_cells.ts";
import { filesIn, runTool } from "../helpers/tool_calls.ts";

const CELLS = 300;
const TMUX_ROUNDS = 10;

/** Before memory is compared: imports, caches and compiled code are there. */
const WARM_CELLS = 60;

/** Growth that is none. */
const MAX_GROWTH = 1.1;

/** What is in use between two collections of garbage is its lowest value over so many cells. */
const WINDOW_CELLS = 60;

const ignore = Deno.build.os !== "linux" || !await hasProgram("python3") ||
  !await hasProgram("tmux", "-V");

function openDescriptors(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}

/** Cells of every kind, each again and again. */
const KINDS: readonly string[] = [
  "n = n + 1; n",
  "print('x' * 20000)",
  "1/0",
  "import subprocess; subprocess.run(['true']).returncode",
  "def f(a): return [a] * 1000\nsum(map(len, map(f, range(50))))",
  "list_dir()",
  "os.close(2); x = (",
];

for (const kind of BOTH_COMMANDS) {
  const name = `a long session in a ${kind.name}`;
  Deno.test({ name, ignore: ignore || kind.ignore }, async (t) => {
    const before = openDescriptors();
    let workspace = "";
    {
      await using house = await kind.open();
      workspace = house.workspace;
      await t.step(`${CELLS} Python cells`, async () => {
        const { run } = pythonCells(house);
        const state = async () => {
          const code =
            "[int(open('/proc/self/statm').read().split()[1]), len(os.listdir('/proc/self/fd'))]";
          const [pages = 0, descriptors = 0] = JSON.parse((await run(code)).stdout) as number[];
          return { pages, descriptors };
        };
        await run("import os; n = 0");
        let warm = await state();
        const own: number[] = [];
        for (let cell = 0; cell < CELLS; cell++) {
          if (cell === WARM_CELLS) warm = await state();
          await run(KINDS[cell % KINDS.length] ?? "");
          const { heapUsed, external } = Deno.memoryUsage();
          own.push(heapUsed + external);
        }
        const end = await state();
        ok(end.pages < warm.pages * MAX_GROWTH, `interpreter: ${warm.pages} to ${end.pages} pages`);
        const first = Math.min(...own.slice(WARM_CELLS, WARM_CELLS + WINDOW_CELLS));
        const last = Math.min(...own.slice(-WINDOW_CELLS));
        ok(last < first * MAX_GROWTH, `ours: ${first} to ${last} bytes`);
        deepStrictEqual(end.descriptors, warm.descriptors);
      });
      await t.step(`${5 * TMUX_ROUNDS} tmux actions`, async () => {
        const tool = tmuxTool();
        const given = { files: filesIn(workspace), commands: house.commands };
        const call = (args: Record<string, unknown>) => runTool(tool, args, given);
        let first = 0;
        for (let round = 0; round < TMUX_ROUNDS; round++) {
          await call({ action: "new", command: "read -r line; echo got $line" });
          await call({ action: "send", text: `word${round}`, enter: true });
          const { value } = await call({ action: "wait", exit: true });
          ok(String(value.text).includes(`got word${round}`), String(value.text));
          await call({ action: "capture", history: 10 });
          await call({ action: "kill" });
          if (round === 0) first = openDescriptors();
        }
        deepStrictEqual(openDescriptors(), first);
      });
    }
    await gone(await processesWith(workspace));
    deepStrictEqual(openDescriptors(), before);
  });
}
