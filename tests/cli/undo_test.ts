import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { calling, newWorld, type Turn, type World } from "../helpers/cordon.ts";
import { snapshot } from "../helpers/snapshot.ts";
import { canMount, tinyDisk } from "../helpers/tiny_disk.ts";

/** Lets a session change the project by a command; resolves to its id. */
async function change(world: World, command: string, more: readonly Turn[] = []): Promise<string> {
  const turns = [calling("bash", { command }), ...more, { text: "done" }];
  const run = await world.play(turns, ["--approval=all"]);
  strictEqual(run.code, 0, run.stderr);
  return String(run.events[0]?.session_id);
}

Deno.test("cordon undo and redo", async (t) => {
  await using world = await newWorld({ "a.txt": "one\n", gone: "here\n" });
  await Deno.mkdir(world.join("other"));
  const old = await snapshot(world.work);
  // Two turns of one task: they are undone together.
  const write = calling("write_file", { path: "b.txt", content: "new\n" });
  const id = await change(world, "echo two >> a.txt; rm gone; mkdir -p d/e", [write]);
  const changed = await snapshot(world.work);
  await t.step("--dry-run shows what would be done, and changes nothing", async () => {
    const run = await world.run(["undo", "--dry-run"]);
    deepStrictEqual([run.code, run.stderr], [0, ""]);
    strictEqual(
      run.stdout,
      `Undo of 1 task of session ${id}:
  "do it"
  restore  a.txt
  remove   b.txt
  remove   d/
  remove   d/e/
  create   gone
Nothing was changed: --dry-run
`,
    );
    deepStrictEqual(await snapshot(world.work), changed);
  });
  await t.step("undo", async () => {
    const run = await world.run(["undo"]);
    deepStrictEqual([run.code, run.stderr], [0, ""]);
    match(run.stdout, /^Done: 5 changed; cordon redo brings it back$/m);
    deepStrictEqual(await snapshot(world.work), old);
  });
  await t.step("undo again has nothing to do", async () => {
    const run = await world.run(["undo"]);
    const hint = "cordon undo --resume=ID looks at another session";
    const none = `Session ${id}: there is nothing to undo`;
    deepStrictEqual([run.code, run.stdout], [0, `${none}; ${hint}\n`]);
    const named = await world.run(["undo", `--resume=${id}`]);
    deepStrictEqual([named.code, named.stdout], [0, `${none}\n`]);
  });
  await t.step("redo, by part of the id, from elsewhere", async () => {
    const run = await world.run(["redo", "-r", id.slice(-8)], { cwd: world.join("other") });
    deepStrictEqual([run.code, run.stderr], [0, ""]);
    deepStrictEqual(await snapshot(world.work), changed);
  });
  await t.step("what was changed since is kept, and told by the exit code", async () => {
    await Deno.writeTextFile(world.join("work", "a.txt"), "mine\n");
    const run = await world.run(["undo"]);
    deepStrictEqual([run.code, run.stderr], [1, ""]);
    match(run.stdout, /^ {2}keep {5}a\.txt: it was changed since$/m);
    match(run.stdout, /^Done: 4 changed, 1 left as they are; cordon redo brings it back$/m);
    deepStrictEqual(await snapshot(world.work), { ...old, "a.txt": btoa("mine\n") });
  });
  await t.step("the session is listed as it was", async () => {
    match((await world.run(["sessions"])).stdout, new RegExp(`^${id} .* done +do it$`, "m"));
  });
});

Deno.test("undo takes back several tasks of a session that goes on", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const id = await change(world, "echo two > a.txt");
  const script = await world.script(calling("bash", { command: "echo three > a.txt" }), {
    text: ".",
  });
  const options = ["-p", "again", "-r", id, "-m", script, "--approval=all"];
  strictEqual((await world.run(options)).code, 0);
  const run = await world.run(["undo", "2"]);
  match(run.stdout, /^Undo of 2 tasks of .*\n {2}"again"\n {2}"do it"\n {2}restore {2}a\.txt$/m);
  strictEqual(await Deno.readTextFile(world.join("work", "a.txt")), "one\n");
});

Deno.test("undo that cannot be", async (t) => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const cases: [name: string, args: string[], code: number, message: RegExp][] = [
    ["no session", ["undo"], 2, /^error: Cannot undo: no session of /m],
    [
      "no number",
      ["undo", "x"],
      2,
      /^error: Cannot undo "x": it takes a number of tasks, or none$/m,
    ],
    ["nothing", ["redo", "0"], 2, /^error: Cannot redo "0": /m],
    ["two numbers", ["undo", "1", "2"], 2, /^error: Cannot undo "1 2": /m],
    ["another session", ["undo", "-r", "9999"], 2, /^error: There is no session "9999"/m],
  ];
  for (const [name, args, code, message] of cases) {
    await t.step(name, async () => {
      const run = await world.run(args);
      strictEqual(run.code, code);
      match(run.stderr, message);
    });
  }
});

Deno.test("a session that is open elsewhere can be looked at, and not undone", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const id = await change(world, "echo two > a.txt");
  using log = await Deno.open(
    world.join("home", ".local", "state", "cordon", "sessions", `${id}.jsonl`),
    { read: true, append: true },
  );
  await log.lock(true);
  match((await world.run(["undo", "--dry-run"])).stdout, /^ {2}restore {2}a\.txt$/m);
  const run = await world.run(["undo"]);
  strictEqual(run.code, 2);
  match(run.stderr, /another process has it open/);
  strictEqual(await Deno.readTextFile(world.join("work", "a.txt")), "two\n");
});

Deno.test("an undo that is killed is finished by the next one", async () => {
  await using world = await newWorld();
  const command = "for i in $(seq 2000); do echo two > $i; done";
  for (let n = 1; n <= 2000; n++) await Deno.writeTextFile(world.join("work", `${n}`), "one\n");
  const old = await snapshot(world.work);
  await change(world, command);
  const undo = await world.start(["undo"]);
  // It is shown before the first file changes.
  await undo.saw("Undo of 1 task");
  undo.kill("SIGKILL");
  await undo.ended;
  const again = await world.run(["undo"]);
  deepStrictEqual([again.code, again.stderr], [0, ""]);
  deepStrictEqual(await snapshot(world.work), old);
});

Deno.test("where no log is kept, the first change says that it cannot be undone", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const twice = [1, 2].map((n) => calling("bash", { command: `echo ${n} > a.txt` }));
  const run = await world.play([...twice, { text: "." }], ["--approval=all", "--no-session"]);
  strictEqual(run.code, 0, run.stderr);
  strictEqual(run.stderr.match(/undo is not available: no log is kept/g)?.length, 1);
  const look = await world.play(
    [calling("bash", { command: "cat a.txt" }), { text: "." }],
    ["--approval=all", "--no-session"],
  );
  strictEqual(look.stderr.includes("undo"), false);
});

Deno.test("a task that only looks takes no snapshot", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  await change(world, "cat a.txt");
  const state = world.join("home", ".local", "state", "cordon");
  const names = [...Deno.readDirSync(state)].map(({ name }) => name);
  strictEqual(names.includes("snapshots"), false);
});

Deno.test("on a full state disk both the run and undo say that no snapshot could be kept", {
  ignore: !await canMount(),
}, async () => {
  const noise = crypto.getRandomValues(new Uint8Array(48 * 1024)).toBase64();
  await using world = await newWorld({ "a.txt": "one\n", "noise.txt": noise });
  await using disk = await tinyDisk();
  const args = ["--profile=off", `--state=${disk.path}`];
  const write = calling("write_file", { path: "a.txt", content: "two\n" });
  const run = await world.play([write, { text: "done" }], args);
  strictEqual(run.code, 0, run.stderr);
  match(run.stderr, /^warning: undo is not available: .*No space left on device/m);
  const undo = await world.run(["undo", `--state=${disk.path}`]);
  strictEqual(undo.code, 1, undo.stderr);
  match(
    undo.stdout,
    /^Session \S+: the last task cannot be undone: no snapshot could be kept \(No space left on device/,
  );
  strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "two\n");
});
