import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { takeOutFolder } from "../../../agent/batch/out_folder.ts";
import { spoolTasks } from "../../../agent/batch/spool_tasks.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

Deno.test("spoolTasks() keeps what comes, whole or not at all", async (t) => {
  await using dir = await tempDir();
  using taken = takeOutFolder(dir.path, "alone");
  const { out } = taken;
  const signal = new AbortController().signal;
  const streamOf = (text: string) => () => Promise.resolve(new Blob([text]).stream());
  const look = ({ path }: { path: string }) => Deno.readTextFile(path);
  await t.step("whole", async () => {
    deepStrictEqual(await spoolTasks(streamOf("tasks"), out, look, signal), {
      file: { path: out.tasks, name: out.tasks },
      found: "tasks",
    });
  });
  await t.step("what cannot be used takes the place of nothing", async () => {
    const refuse = () => Promise.reject(new Error("no task in it"));
    await rejects(spoolTasks(streamOf(""), out, refuse, signal), /^Error: no task in it$/);
  });
  await t.step("a pipe that nobody writes to is left when the batch is stopped", async () => {
    const stop = new AbortController();
    const spooled = spoolTasks(() => new Promise(() => {}), out, look, stop.signal);
    stop.abort();
    strictEqual(await spooled, undefined);
  });
  await t.step("a stream that breaks is told", async () => {
    const broken = () =>
      Promise.resolve(new ReadableStream({ pull: () => Promise.reject(new Error("gone")) }));
    await rejects(
      spoolTasks(broken, out, look, signal),
      /^BatchError: Cannot keep the tasks in ".+": gone$/,
    );
  });
  await t.step("a pipe that cannot be opened is told", async () => {
    const closed = () => Promise.reject(new Error("closed"));
    await rejects(
      spoolTasks(closed, out, look, signal),
      /^BatchError: Cannot keep the tasks in ".+": closed/,
    );
  });
  strictEqual(await Deno.readTextFile(out.tasks), "tasks");
  deepStrictEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name).sort(), [
    ...["elements", "lock", "tasks.jsonl"],
  ]);
});
