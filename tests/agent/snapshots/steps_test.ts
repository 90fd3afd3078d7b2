import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { type UndoSession, undoWorld } from "../../helpers/undo_world.ts";

Deno.test("undo goes back task by task, or several at once, and redo forward", async () => {
  await using world = await undoWorld({ f: "0" });
  let session = await world.newSession();
  const states = [await world.files()];
  for (const n of [1, 2, 3]) {
    await session.task(() => world.shell(`printf ${n} > f; printf ${n} > f${n}`));
    states.push(await world.files());
  }
  await session.undo();
  deepStrictEqual(await world.files(), states[2]);
  session = await session.reopen();
  await session.undo(2);
  deepStrictEqual(await world.files(), states[0]);
  await session.redo(2);
  deepStrictEqual(await world.files(), states[2]);
  await session.redo(9);
  deepStrictEqual(await world.files(), states[3]);
  deepStrictEqual(await session.prepare("redo"), { ok: false, why: "there is nothing to redo" });
  await session.undo(9);
  deepStrictEqual(await world.files(), states[0]);
  deepStrictEqual(await session.prepare("undo"), { ok: false, why: "there is nothing to undo" });
});

Deno.test("a new change ends what can be redone; a task without one does not", async () => {
  await using world = await undoWorld({ f: "0" });
  const session = await world.newSession();
  await session.task(() => world.shell("printf 1 > f"));
  await session.undo();
  await session.task(() => Promise.resolve());
  ok((await session.prepare("redo")).ok);
  await session.task(() => world.shell("printf 2 > f"));
  strictEqual((await session.prepare("redo")).ok, false);
  await session.undo();
  strictEqual(await Deno.readTextFile(join(world.workspace, "f")), "0");
});

Deno.test("two sessions in one folder undo their own tasks only", async () => {
  await using world = await undoWorld({ a: "0", b: "0", both: "0" });
  const [one, other] = [await world.newSession(), await world.newSession()];
  await one.task(() => world.shell("printf 1 > a; printf 1 > both"));
  await other.task(() => world.shell("printf 2 > b; printf 2 > both"));
  deepStrictEqual((await one.undo()).kept, [{ path: "both", why: "it was changed since" }]);
  strictEqual(await Deno.readTextFile(join(world.workspace, "a")), "0");
  strictEqual(await Deno.readTextFile(join(world.workspace, "b")), "2");
  deepStrictEqual((await other.undo()).kept, []);
  strictEqual(await Deno.readTextFile(join(world.workspace, "b")), "0");
  strictEqual(await Deno.readTextFile(join(world.workspace, "both")), "1");
});

Deno.test("a session that goes on undoes its own tasks", async () => {
  await using world = await undoWorld({ f: "0" });
  const session = await world.newSession();
  await session.task(() => world.shell("printf 1 > f"));
  const prepared = await session.snapshots.prepareMove("undo", 1);
  ok(prepared.ok);
  deepStrictEqual(prepared.actions.map(({ path }) => path), ["f"]);
  deepStrictEqual((await session.snapshots.makeMove(prepared)).kept, []);
  strictEqual(await Deno.readTextFile(join(world.workspace, "f")), "0");
  deepStrictEqual(await session.snapshots.prepareMove("undo", 1), {
    ok: false,
    why: "there is nothing to undo",
  });
  await session.task(() => world.shell("printf 2 > f"));
  await session.undo();
  strictEqual(await Deno.readTextFile(join(world.workspace, "f")), "0");
});

Deno.test("who changes something at once shares one snapshot of before", async (t) => {
  const rolesOf = ({ session }: UndoSession) =>
    session.conversation.snapshots.map(({ role, call_id }) => [role, call_id]);
  const stays = new AbortController().signal;
  await t.step("two calls", async () => {
    await using world = await undoWorld({ f: "0" });
    const session = await world.newSession();
    const { snapshots } = session;
    await Promise.all([snapshots.beforeChange("a", stays), snapshots.beforeChange("b", stays)]);
    await world.shell("printf 1 > f");
    await snapshots.endTask();
    deepStrictEqual(rolesOf(session), [["before", "a"], ["after", undefined]]);
    await session.undo();
    strictEqual(await Deno.readTextFile(join(world.workspace, "f")), "0");
  });
  await t.step("one that is stopped leaves it to the other", async () => {
    await using world = await undoWorld({ f: "0" });
    const session = await world.newSession();
    const stop = new AbortController();
    const first = session.snapshots.beforeChange("a", stop.signal);
    const second = session.snapshots.beforeChange("b", stays);
    stop.abort();
    await rejects(first, { name: "AbortError" });
    await second;
    deepStrictEqual(rolesOf(session), [["before", "b"]]);
  });
  await t.step("the end of the task waits for it", async () => {
    await using world = await undoWorld({ f: "0" });
    const session = await world.newSession();
    const before = session.snapshots.beforeChange("a", stays);
    await session.snapshots.endTask();
    await before;
    deepStrictEqual(rolesOf(session), [["before", "a"], ["after", undefined]]);
  });
});

Deno.test("ten thousand files", async () => {
  await using world = await undoWorld();
  for (let folder = 0; folder < 100; folder++) {
    Deno.mkdirSync(join(world.workspace, `${folder}`));
    for (let file = 0; file < 100; file++) {
      Deno.writeTextFileSync(join(world.workspace, `${folder}`, `${file}`), `${folder}\n`);
    }
  }
  const session = await world.newSession();
  const old = await world.files();
  await session.task(() =>
    world.shell("rm -r *[02468]; for f in */*; do echo x >> $f; done; mv 1 one; rmdir one || :")
  );
  const { kept, done } = await session.undo();
  deepStrictEqual({ kept, done: done.length }, { kept: [], done: 10_152 });
  deepStrictEqual(await world.files(), old);
});

/** A change of one path: what it is to be. */
type Change = {
  readonly path: string;
  readonly to: "gone" | "folder" | "link" | { readonly text: string; readonly mode: number };
};

const path = fc.array(fc.constantFrom("a", "b", "ü", " c"), { minLength: 1, maxLength: 3 })
  .map((names) => names.join("/"));

const change: fc.Arbitrary<Change> = fc.record({
  path,
  to: fc.oneof(
    fc.constantFrom<Change["to"]>("gone", "folder", "link"),
    fc.record({
      text: fc.oneof(fc.constantFrom("", "one", "two"), fc.string({ maxLength: 400 })),
      mode: fc.constantFrom(0o644, 0o755, 0o600, 0o444),
    }),
  ),
});

Deno.test("whatever tasks do, undo and redo reach every state that there was", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 4 }),
      async (tasks, moves) => {
        await using world = await undoWorld({ "a/b": "begin", " c": "begin" });
        const session = await world.newSession();
        const states = [await world.files()];
        for (const task of tasks) {
          await session.task(() =>
            Promise.resolve(task.forEach((one) => apply(world.workspace, one)))
          );
          const files = await world.files();
          // A task that changed nothing is none.
          if (JSON.stringify(files) !== JSON.stringify(states.at(-1))) states.push(files);
        }
        let at = states.length - 1;
        for (const by of [-1, ...moves, -9, 9]) {
          at = await move(session, by, at, states.length - 1);
          deepStrictEqual(await world.files(), states[at]);
        }
      },
    ),
    { numRuns: 60 },
  );
});

async function move(session: UndoSession, by: number, at: number, last: number): Promise<number> {
  const target = Math.min(Math.max(at + by, 0), last);
  if (target === at) return at;
  const { kept } = by < 0 ? await session.undo(-by) : await session.redo(by);
  deepStrictEqual(kept, []);
  return target;
}

/** Makes a path what it is to be, whatever lies there or on the way. */
function apply(root: string, { path, to }: Change): void {
  const names = path.split("/");
  for (let i = 1; i < names.length; i++) {
    const folder = join(root, ...names.slice(0, i));
    if (isFolder(folder)) continue;
    Deno.removeSync(folder, { recursive: true });
    Deno.mkdirSync(folder);
  }
  const target = join(root, path);
  if (exists(target)) Deno.removeSync(target, { recursive: true });
  if (to === "gone") return;
  if (to === "folder") return Deno.mkdirSync(target);
  if (to === "link") return Deno.symlinkSync("elsewhere", target);
  Deno.writeTextFileSync(target, to.text);
  Deno.chmodSync(target, to.mode);
}

function isFolder(path: string): boolean {
  if (!exists(path)) Deno.mkdirSync(path);
  return Deno.lstatSync(path).isDirectory;
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
