import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { newBatch } from "../helpers/batch_world.ts";
import { childrenWith, gone } from "../helpers/processes.ts";

/**
 * How many tasks a long batch has: 200 is what we promise. A run of one costs a third of a second of
 * a processor, so it is asked for: `CORDON_BATCH_TASKS=200 deno task test tests/cli/batch_many_test.ts`.
 */
const TASKS = Number(Deno.env.get("CORDON_BATCH_TASKS") ?? 0);

/** After so many tasks the batch is killed each time, and begun again. */
const BETWEEN_KILLS = Math.ceil(TASKS / 3);

const JOBS = 4;

/** What the memory of a batch may grow by while it works, in kilobytes. */
const MAX_GROWTH_KB = 48 * 1024;

/** The memory of a process that is its own, in kilobytes. */
function memoryOf(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]);
}

Deno.test(
  "a long batch is killed again and again, repeats nothing, and stays small (CORDON_BATCH_TASKS=200)",
  {
    ignore: TASKS === 0 || Deno.build.os !== "linux",
  },
  async () => {
    let pid = 0;
    let answered = 0;
    let sizes: number[] = [];
    await using batch = await newBatch((prompt) => {
      answered++;
      if (pid !== 0) sizes.push(memoryOf(pid));
      return { text: `did ${prompt}` };
    });
    const ids = Array.from({ length: TASKS }, (_, n) => `t${n}`);
    await batch.tasks(...ids.map((id) => ({ id, prompt: id })));
    const args = ["--isolation=none", `--jobs=${JOBS}`, "--tools=read_file"];
    const repeated: string[] = [];
    for (let done = 0; done < TASKS;) {
      const asked = batch.prompts.length;
      const finished = new Set(done === 0 ? [] : (await batch.lines()).map(({ id }) => id));
      sizes = [];
      const running = await batch.start(args, { guardMs: 10 * 60_000 });
      pid = running.pid;
      const left = TASKS - finished.size;
      const isLast = left <= BETWEEN_KILLS;
      if (!isLast) {
        await batch.server.request(asked + BETWEEN_KILLS);
        const pids = await childrenWith(pid, "--run-as-child");
        running.kill("SIGKILL");
        await running.ended;
        await gone(pids);
      }
      const run = await running.ended;
      pid = 0;
      if (isLast) strictEqual(run.code, 0, run.stderr);
      repeated.push(...batch.prompts.slice(asked).filter((id) => finished.has(id)));
      done = (await batch.lines()).length;
      ok(done > finished.size);
      const half = Math.floor(sizes.length / 2);
      const growth = Math.max(...sizes.slice(half)) - Math.max(...sizes.slice(0, half));
      console.log(`${done} tasks done, ${Math.max(...sizes)} KB at most, grown by ${growth} KB`);
      ok(growth < MAX_GROWTH_KB, `${growth} KB`);
    }
    deepStrictEqual(repeated, []);
    deepStrictEqual((await batch.lines()).map(({ id }) => id).sort(), ids.sort());
    // Only what was under way when the batch was killed was begun twice.
    ok(answered <= TASKS + 3 * JOBS, `${answered} requests`);
  },
);
