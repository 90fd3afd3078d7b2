import { deepStrictEqual } from "node:assert/strict";
import { gatherInstructions } from "../../agent/instructions.ts";
import { instructionFiles, viewedInstructionFiles } from "../../agent/instruction_files.ts";
import { testShell } from "../helpers/shell.ts";

Deno.test("instructions are the same, read here or printed by a command", async (t) => {
  const cases: [name: string, files: string, want: { text: string; inRepository: boolean }][] = [
    ["nothing", "true", { text: "", inRepository: false }],
    ["a file", "printf 'be kind\\n' > AGENTS.md; mkdir .git", {
      text: "From W/AGENTS.md:\nbe kind",
      inRepository: true,
    }],
    ["an override before it", "echo a > AGENTS.md; echo b > AGENTS.override.md", {
      text: "From W/AGENTS.override.md:\nb",
      inRepository: false,
    }],
    ["an empty file is none", ": > AGENTS.md; echo c > CLAUDE.md", {
      text: "From W/CLAUDE.md:\nc",
      inRepository: false,
    }],
    ["a folder is none", "mkdir AGENTS.md; echo g > GEMINI.md", {
      text: "From W/GEMINI.md:\ng",
      inRepository: false,
    }],
    ["a FIFO is none", "mkfifo AGENTS.md", { text: "", inRepository: false }],
  ];
  for (const [name, script, want] of cases) {
    await t.step(name, async () => {
      await using house = await testShell();
      await house.run(`cd '${house.workspace}' && ${script}`);
      const printed = viewedInstructionFiles(house.commands, house.workspace);
      for (const files of [instructionFiles, printed]) {
        const found = await gatherInstructions(house.workspace, undefined, files);
        deepStrictEqual({
          text: found.text.replaceAll(house.workspace, "W"),
          inRepository: found.inRepository,
        }, want);
      }
    });
  }
});
