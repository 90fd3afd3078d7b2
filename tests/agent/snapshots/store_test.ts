import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { ObjectStore } from "../../../agent/snapshots/object_store.ts";
import {
  decodeIndex,
  decodeObject,
  encodeIndex,
  encodeObject,
} from "../../../agent/snapshots/pack.ts";
import { Recorder } from "../../../agent/snapshots/recorder.ts";
import { SnapshotStore, storeFolder } from "../../../agent/snapshots/snapshot_store.ts";
import { decodeStatCache, encodeStatCache } from "../../../agent/snapshots/stat_cache.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { undoWorld } from "../../helpers/undo_world.ts";

Deno.test("what a store takes it gives back, also to another process", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.boolean(), (bytes, twice) => {
    const content = twice ? new Uint8Array([...bytes, ...bytes, ...bytes]) : bytes;
    const { bytes: stored, deflated } = encodeObject(content);
    deepStrictEqual(new Uint8Array(decodeObject(stored, deflated)), content);
    ok(stored.length <= content.length);
  }));
});

Deno.test("an index that was cut off gives its whole slots", () => {
  const slots = new Map([
    ["00".repeat(32), { offset: 0, length: 5, deflated: false }],
    ["ff".repeat(32), { offset: 2 ** 40, length: 2 ** 32 - 1, deflated: true }],
  ]);
  const bytes = encodeIndex(slots);
  deepStrictEqual(decodeIndex(bytes), slots);
  deepStrictEqual([...decodeIndex(bytes.subarray(0, bytes.length - 1)).keys()], ["00".repeat(32)]);
});

Deno.test("objects are kept once, and for their owner alone", async () => {
  await using dir = await tempDir();
  const folder = dir.join("objects");
  const [one, other] = [new ObjectStore(folder), new ObjectStore(folder)];
  const bytes = new TextEncoder().encode("text ".repeat(1_000));
  const hash = one.keep(bytes);
  strictEqual(one.keep(bytes), hash);
  one.flush();
  strictEqual(other.keep(bytes), hash);
  other.flush();
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  strictEqual(names.length, 2);
  for (const name of names) strictEqual(modeOf(join(folder, name)), 0o600);
  strictEqual(modeOf(folder), 0o700);
  ok(one.sizeOnDisk() < bytes.length / 10);
  deepStrictEqual(new ObjectStore(folder).load(hash), bytes);
});

Deno.test("bytes that are not those that were taken are not given out", async () => {
  await using dir = await tempDir();
  const store = new ObjectStore(dir.path);
  const hashes = [store.keep(new TextEncoder().encode("short")), store.keep(new Uint8Array(9_000))];
  store.flush();
  const pack = [...Deno.readDirSync(dir.path)].find(({ name }) => name.endsWith(".pack"))?.name ??
    "";
  const bytes = await Deno.readFile(dir.join(pack));
  await Deno.writeFile(dir.join(pack), bytes.map((byte) => byte ^ 1));
  deepStrictEqual(hashes.map((hash) => new ObjectStore(dir.path).load(hash)), [
    undefined,
    undefined,
  ]);
  await Deno.truncate(dir.join(pack), 2);
  deepStrictEqual(hashes.map((hash) => new ObjectStore(dir.path).load(hash)), [
    undefined,
    undefined,
  ]);
});

Deno.test("what a scan saw is read back as it was", async () => {
  await using world = await undoWorld({ "a/.gitignore": "i", "a/i": "1", "a/b/f": "", "é\n": "2" });
  await world.shell("ln -s nowhere l; mkfifo p; mkdir -p empty __proto__; chmod 700 empty");
  using recorder = await Recorder.open({
    ...{ workspace: world.workspace, state: world.state, session: "one", claimed: [] },
  });
  const { root } = await recorder.take("before");
  deepStrictEqual(decodeStatCache(encodeStatCache(root)), root);
  const text = encodeStatCache(root);
  for (const other of ["", text.slice(0, -1), text.replace('"format":2', '"format":1')]) {
    strictEqual(decodeStatCache(other), undefined);
  }
});

Deno.test("a full store lets the oldest sessions go, and never the running one", async () => {
  await using world = await undoWorld();
  const folder = storeFolder(world.state, world.workspace);
  const sessions = [];
  for (const n of [1, 2, 3, 4, 5]) {
    const session = await world.newSession();
    sessions.push(session);
    // What does not shrink takes 100 kB of the store with each task.
    await session.task(() => world.shell("head -c 100000 /dev/urandom > random"));
    const past = new Date(2020, n);
    await Deno.utime(join(folder, "sessions", session.session.id), past, past);
    await session.close();
  }
  const [oldest, , , last, newest] = sessions;
  ok(oldest && last && newest);
  const before = new ObjectStore(join(folder, "objects")).sizeOnDisk();
  await openWith(newest.session.id, before);
  strictEqual(sessionsIn(folder).length, 5);
  // Three quarters of the limit have room for three of the five contents.
  await openWith(newest.session.id, before - 1);
  deepStrictEqual(sessionsIn(folder), [last.session.id, newest.session.id].sort());
  await openWith(last.session.id, 1);
  deepStrictEqual(sessionsIn(folder), [last.session.id]);
  ok(new ObjectStore(join(folder, "objects")).sizeOnDisk() < before / 2);
  ok((await (await last.reopen()).prepare("undo")).ok);
  const gone = await (await oldest.reopen()).prepare("undo");
  deepStrictEqual([gone.ok, "why" in gone && /no longer kept/.test(gone.why)], [false, true]);

  async function openWith(session: string, maxBytes: number): Promise<void> {
    using _store = await SnapshotStore.open({
      folder,
      logs: join(world.state, "sessions"),
      session,
      inWorktrees: new Set(),
      maxBytes,
    });
  }
});

Deno.test("a store that somebody else has open is not cleaned", async () => {
  await using world = await undoWorld({ f: "one" });
  const session = await world.newSession();
  await session.task(() => world.shell("printf two > f"));
  const folder = storeFolder(world.state, world.workspace);
  using _other = await SnapshotStore.open({
    folder,
    logs: world.state,
    session: "other",
    inWorktrees: new Set(),
    maxBytes: 1,
  });
  ok((await session.prepare("undo")).ok);
});

Deno.test("packs of processes that died, and many small ones, are cleaned up", async () => {
  await using world = await undoWorld({ f: "one" });
  const session = await world.newSession();
  for (let n = 0; n < 70; n++) {
    await session.task(() => Deno.writeTextFile(join(world.workspace, "f"), `${n}`));
  }
  await session.close();
  const objects = join(storeFolder(world.state, world.workspace), "objects");
  await Deno.writeTextFile(join(objects, "dead.pack"), "half");
  await Deno.writeTextFile(join(objects, "dead.index.draft"), "half");
  const again = await session.reopen();
  strictEqual((await again.undo(70)).kept.length, 0);
  strictEqual(await Deno.readTextFile(join(world.workspace, "f")), "one");
  strictEqual([...Deno.readDirSync(objects)].length, 2);
});

Deno.test("a session that is deleted leaves nothing in the store", async () => {
  await using world = await undoWorld();
  const [kept, deleted] = [await world.newSession(), await world.newSession()];
  await kept.task(() => Deno.writeFile(join(world.workspace, "f"), randomBytes()));
  await deleted.task(() => Deno.writeFile(join(world.workspace, "f"), randomBytes()));
  await deleted.close();
  await kept.close();
  const folder = storeFolder(world.state, world.workspace);
  const before = new ObjectStore(join(folder, "objects")).sizeOnDisk();
  await Deno.remove(deleted.session.path ?? "");
  const again = await kept.reopen();
  ok((await again.prepare("undo")).ok);
  deepStrictEqual(sessionsIn(folder), [kept.session.id]);
  ok(new ObjectStore(join(folder, "objects")).sizeOnDisk() < before * 0.6);
});

Deno.test("another process goes on from what one has seen", async () => {
  await using world = await undoWorld({ "a/f": "one", "b/g": "two" });
  const options = { workspace: world.workspace, state: world.state, claimed: [] };
  let tree: string;
  {
    using recorder = await Recorder.open({ ...options, session: "one" });
    tree = (await recorder.take("before")).root.tree;
  }
  using recorder = await Recorder.open({ ...options, session: "other" });
  strictEqual((await recorder.take("before")).root.tree, tree);
});

function sessionsIn(folder: string): string[] {
  return [...Deno.readDirSync(join(folder, "sessions"))].map(({ name }) => name).sort();
}

function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o777;
}

/** Bytes that do not shrink. */
function randomBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(60_000));
}
