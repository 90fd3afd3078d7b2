import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { newWorld, type World } from "../helpers/cordon.ts";

/** A world with one session, in which "remember me" was said; `damage` gets the text of its log. */
async function damaged(
  damage: (lines: readonly string[]) => readonly string[],
): Promise<{ world: World; id: string; log: string }> {
  const world = await newWorld();
  const run = await world.play([{ text: "I do" }], ["remember me,"]);
  const id = String(run.events[0]?.session_id);
  const log = join(world.path, "home/.local/state/cordon/sessions", `${id}.jsonl`);
  const lines = (await Deno.readTextFile(log)).trimEnd().split("\n");
  await Deno.writeTextFile(log, damage(lines).map((line) => `${line}\n`).join(""));
  return { world, id, log };
}

Deno.test("a session whose log is damaged is listed, saved and deleted", async (t) => {
  const cases: [name: string, damage: (lines: readonly string[]) => readonly string[]][] = [
    ["without its header", (lines) => ["\0\0\0", ...lines.slice(1)]],
    ["with rubbish in the middle", ([header = "", ...rest]) => [header, "\0\0\0", ...rest]],
  ];
  for (const [name, damage] of cases) {
    await t.step(name, async () => {
      const { world, id, log } = await damaged(damage);
      await using _world = world;
      const listed = await world.run(["sessions"]);
      match(listed.stdout, new RegExp(`^${id}  `, "m"));
      const resumed = await world.play([{ text: "ok" }], [`--resume=${id}`]);
      strictEqual(resumed.code, 1);
      match(
        resumed.events[0]?.message,
        new RegExp(`; cordon export ${id} saves what can be read, cordon sessions delete ${id} `),
      );
      const saved = await world.run(["export", id]);
      strictEqual(saved.code, 0, saved.stderr);
      match(saved.stdout, /remember me/);
      match(saved.stdout, /I do/);
      match(saved.stderr, /^warning: Session \S+ is damaged, and what can be read is saved: line /);
      const deleted = await world.run(["sessions", "delete", id, "--yes"]);
      deepStrictEqual([deleted.code, deleted.stdout], [0, `${id} is deleted\n`], deleted.stderr);
      deepStrictEqual(await Deno.lstat(log).catch(() => "gone"), "gone");
    });
  }
});

Deno.test("what cannot be read among the logs is listed with its reason, and deleted", async () => {
  await using world = await newWorld();
  await world.play([{ text: "ok" }]);
  const folder = world.join("home/.local/state/cordon/sessions");
  await Deno.writeTextFile(join(folder, "20260101-000000-aaaa.jsonl"), "");
  await Deno.mkdir(join(folder, "20260101-000000-bbbb.jsonl/x"), { recursive: true });
  const { stdout } = await world.run(["sessions"]);
  match(stdout, /^20260101-000000-aaaa {2}.* {2}cannot be read: it is empty$/m);
  match(stdout, /^20260101-000000-bbbb {2}.* {2}cannot be read: Is a directory/m);
  match(stdout, /^cordon export ID saves what can be read, cordon sessions delete ID removes it$/m);
  const { events } = await world.run(["sessions", "--output-format=json"]);
  deepStrictEqual(events[0]?.unreadable.map(({ id }: { id: string }) => id).sort(), [
    "20260101-000000-aaaa",
    "20260101-000000-bbbb",
  ]);
  for (const part of ["aaaa", "bbbb"]) {
    const run = await world.run(["sessions", "delete", part, "--yes"]);
    strictEqual(run.code, 0, run.stderr);
  }
  const after = await world.run(["sessions"]);
  ok(!after.stdout.includes("cannot be read"), after.stdout);
  match(after.stdout, / {2}do it$/m);
});
