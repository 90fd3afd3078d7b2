import { deepStrictEqual, match, ok } from "node:assert/strict";
import { type UndoSession, undoWorld } from "../../helpers/undo_world.ts";
import { answer, result } from "../session/fixtures.ts";

/** A call of a session, as the log tells of one, in which something happens. */
async function call(
  { session }: UndoSession,
  act: () => Promise<unknown>,
  value: unknown = { exitCode: 0 },
): Promise<void> {
  const id = crypto.randomUUID();
  await session.append(answer("", [id, "tool"]));
  await session.append({ type: "tool_call", call_id: id, name: "tool", arguments: {} });
  await act();
  await session.append(result(id, value));
}

/** A call of a file tool that wrote a file. */
async function wrote(session: UndoSession, path: string): Promise<void> {
  await call(session, () => Promise.resolve(), { ok: true, path });
}

Deno.test("undo leaves alone what another session did meanwhile, and names it", async (t) => {
  await t.step("one task within the other", async () => {
    await using world = await undoWorld({ "a.txt": "old", "b.txt": "old" });
    const one = await world.newSession();
    const other = await world.newSession();
    await one.task(async () => {
      await call(one, () => world.shell("echo one > a.txt"));
      await other.task(() =>
        call(other, () => world.shell("echo other > b.txt; echo other > c.txt"))
      );
    });
    const { done, kept } = await one.undo();
    deepStrictEqual(done.map(({ path }) => path), ["a.txt"]);
    deepStrictEqual(
      kept,
      ["b.txt", "c.txt"].map((path) => ({
        path,
        why: `session ${other.session.id} changed it, or may have, meanwhile`,
      })),
    );
    deepStrictEqual(await texts(world.workspace), {
      "a.txt": "old",
      "b.txt": "other\n",
      "c.txt": "other\n",
    });
    // The other one's own undo brings back what it did.
    await other.undo();
    deepStrictEqual(await texts(world.workspace), { "a.txt": "old", "b.txt": "old" });
  });
  await t.step("tasks that overlap: what a file tool named is known to be one's own", async () => {
    await using world = await undoWorld();
    const one = await world.newSession();
    const other = await world.newSession();
    await one.task(() =>
      other.task(async () => {
        await call(one, () =>
          call(other, () => world.shell("echo x | tee mine theirs both unknown > /dev/null")));
        await wrote(one, "mine");
        await wrote(one, `${world.workspace}/both`);
        await wrote(other, "theirs");
        await wrote(other, "both");
      })
    );
    const { done, kept } = await one.undo();
    deepStrictEqual(done.map(({ path }) => path), ["mine"]);
    deepStrictEqual(kept.map(({ path }) => path), ["both", "theirs", "unknown"]);
  });
  await t.step("an undo of the other session counts as its work", async () => {
    await using world = await undoWorld({ "b.txt": "old" });
    const one = await world.newSession();
    const other = await world.newSession();
    await other.task(() => world.shell("echo other > b.txt"));
    await one.task(async () => {
      await world.shell("echo one > a.txt");
      await other.undo();
    });
    const { done, kept } = await one.undo();
    deepStrictEqual(done.map(({ path }) => path), ["a.txt"]);
    deepStrictEqual(kept.map(({ path }) => path), ["b.txt"]);
  });
});

Deno.test("tasks of other sessions before and after are no reason to keep anything", async () => {
  await using world = await undoWorld({ "a.txt": "old" });
  const other = await world.newSession();
  await other.task(() => world.shell("echo before > a.txt; echo x > b.txt"));
  const one = await world.newSession();
  await one.task(() => world.shell("echo one > a.txt"));
  await other.task(() => world.shell("echo after > b.txt"));
  deepStrictEqual((await one.undo()).kept, []);
  deepStrictEqual(await texts(world.workspace), { "a.txt": "before\n", "b.txt": "after\n" });
  // What was changed since by whomever is told as before.
  const { kept } = await one.redo().then(() => one.undo());
  deepStrictEqual(kept, []);
});

Deno.test("a task without a snapshot is not passed over by undo", async () => {
  await using world = await undoWorld({ "a.txt": "old" });
  const one = await world.newSession();
  await one.task(() => world.shell("echo one > a.txt"));
  await one.session.append({ type: "snapshot", tree: "", prompt: "big", lost: "No space left" });
  const refused = await one.prepare("undo");
  ok(!refused.ok && refused.why.endsWith("undoes the one before, and leaves what came since"));
  match(
    refused.why,
    /^the last task cannot be undone: no snapshot could be kept \(No space left\); /,
  );
  deepStrictEqual((await one.undo(2)).done.map(({ path }) => path), ["a.txt"]);
});

async function texts(folder: string): Promise<Record<string, string>> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  const read = names.map(async (name) => [name, await Deno.readTextFile(`${folder}/${name}`)]);
  return Object.fromEntries(await Promise.all(read));
}
