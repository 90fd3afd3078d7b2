// A process of its own for tests: `patch_many_program.ts WORKSPACE JOURNAL STEP`. Runs a patch of
// five files; says the step's name on stdout when it gets to STEP, and waits there to be killed.
import { createJournal } from "../../agent/backing/journal.ts";
import type { WriteFiles } from "../../sandbox/files/files.ts";
import { patchManyTool } from "../../tools/patch_many.ts";
import type { Journal } from "../../tools/tool.ts";
import { filesIn, runTool } from "../helpers/tool_calls.ts";
import { FIVE_FILES } from "./five_files.ts";

const [workspace = "", journalFolder = "", wanted = ""] = Deno.args;
let step = 0;

/** Counts a step, and stays in the one that was asked for. */
async function reach(name: string): Promise<void> {
  if (++step !== Number(wanted)) return;
  console.log(name);
  // Nothing is ever written to it: the wait ends with the process.
  await Deno.stdin.read(new Uint8Array(1));
}

async function between<T>(name: string, act: () => Promise<T>): Promise<T> {
  await reach(`before ${name}`);
  const result = await act();
  await reach(`after ${name}`);
  return result;
}

function stepping(files: WriteFiles): WriteFiles {
  return {
    ...files,
    create: (...args) => between("create", () => files.create(...args)),
    replace: (...args) => between("replace", () => files.replace(...args)),
    remove: (...args) => between("remove", () => files.remove(...args)),
  };
}

function steppingJournal(journal: Journal): Journal {
  return {
    async begin(entries) {
      const record = await between("begin", () => journal.begin(entries));
      return { ...record, end: () => between("end", () => record.end()) };
    },
  };
}

const outcome = await runTool(patchManyTool({ recovery: "place" }), { patch: FIVE_FILES.patch }, {
  files: stepping(filesIn(workspace)),
  journal: steppingJournal(createJournal(journalFolder)),
});
console.log(outcome.value.ok === true ? `done in ${step}` : outcome.text);
