import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { historyOf } from "../../../agent/snapshots/history.ts";
import { makeMove, prepareMove } from "../../../agent/snapshots/move.ts";
import { undoWorld } from "../../helpers/undo_world.ts";

class Crash extends Error {}

const BEFORE =
  "mkdir -p d/e && for i in 1 2 3 4; do echo $i > d/$i; done; ln -s d/1 l; echo x > swap";
const CHANGE =
  "rm d/1 l; for i in 2 3 4 5; do echo changed $i > d/$i; done; rm -r d/e; rm swap; mkdir swap; echo y > swap/f";

Deno.test("an undo that is cut off anywhere goes on where it stopped", async (t) => {
  for (let loads = 0; loads < 5; loads++) {
    await t.step(`after ${loads} files`, async () => {
      await using world = await undoWorld();
      await world.shell(BEFORE);
      let session = await world.newSession();
      const old = await world.files();
      await session.task(() => world.shell(CHANGE));
      const changed = await world.files();
      await rejects(crashAfter(loads), Crash);
      session = await session.reopen();
      const prepared = await session.prepare("undo");
      ok(prepared.ok && prepared.resumes);
      deepStrictEqual((await session.undo()).kept, []);
      deepStrictEqual(await world.files(), old);
      const { position, cutOff } = historyOf(session.session.conversation.snapshots);
      deepStrictEqual({ position, cutOff }, { position: 0, cutOff: undefined });
      await session.redo();
      deepStrictEqual(await world.files(), changed);

      async function crashAfter(count: number): Promise<void> {
        await session.withParts(async (parts) => {
          const prepared = await prepareMove("undo", 1, parts);
          ok(prepared.ok);
          const { objects } = parts.recorder.store;
          const load = objects.load.bind(objects);
          let left = count;
          objects.load = (hash) => {
            if (left-- <= 0) throw new Crash();
            return load(hash);
          };
          await makeMove(prepared, parts, (record) => session.session.append(record));
        });
      }
    });
  }
});

Deno.test("after an undo that was cut off, redo goes back", async () => {
  await using world = await undoWorld();
  await world.shell(BEFORE);
  const session = await world.newSession();
  await session.task(() => world.shell(CHANGE));
  const changed = await world.files();
  await rejects(
    session.withParts(async (parts) => {
      const prepared = await prepareMove("undo", 1, parts);
      ok(prepared.ok);
      parts.recorder.store.objects.load = () => {
        throw new Crash();
      };
      await makeMove(prepared, parts, (record) => session.session.append(record));
    }),
    Crash,
  );
  deepStrictEqual((await session.redo()).kept, []);
  deepStrictEqual(await world.files(), changed);
});

Deno.test("a task in which the process died is undone as far as it came", async () => {
  await using world = await undoWorld({ f: "one" });
  const session = await world.newSession();
  const old = await world.files();
  await session.task(() => world.shell("printf two > f; printf new > g"), { end: false });
  const resumed = await session.reopen();
  const changed = await world.files();
  const prepared = await resumed.prepare("undo");
  ok(prepared.ok && prepared.wasCutOff);
  deepStrictEqual((await resumed.undo()).kept, []);
  deepStrictEqual(await world.files(), old);
  await resumed.redo();
  deepStrictEqual(await world.files(), changed);
});

Deno.test("a torn object is never written over a file", async () => {
  await using world = await undoWorld({ f: "one", g: "one" });
  const session = await world.newSession();
  await session.task(() => world.shell("printf two > f; rm g"));
  const prepared = await session.prepare("undo");
  ok(prepared.ok);
  const moved = await session.withParts((parts) => {
    parts.recorder.store.objects.load = () => undefined;
    return makeMove(prepared, parts, (record) => session.session.append(record));
  });
  deepStrictEqual(moved, {
    done: [],
    kept: [
      { path: "f", why: "its content is no longer kept" },
      { path: "g", why: "its content is no longer kept" },
    ],
  });
  strictEqual((await world.files())["f"]?.endsWith(btoa("two")), true);
});
