import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { canMount, tinyDisk } from "../../helpers/tiny_disk.ts";
import { indexWorld } from "./index_world.ts";

const PROGRAM = fileURLToPath(new URL("./index_program.ts", import.meta.url));

Deno.test("a damaged index is made anew", async (t) => {
  const cases: [name: string, damage: (path: string) => void][] = [
    ["no database at all", (path) => Deno.writeTextFileSync(path, "no database ".repeat(2_000))],
    ["an empty file", (path) => Deno.truncateSync(path)],
    ["cut in the middle", (path) => Deno.truncateSync(path, 20_000)],
    ["zeros in its pages", (path) => {
      using file = Deno.openSync(path, { write: true });
      for (let page = 1; page < 30; page++) {
        file.seekSync(page * 4096, Deno.SeekMode.Start);
        file.writeSync(new Uint8Array(4096));
      }
    }],
    ["gone", (path) => Deno.removeSync(path)],
    ["of an older version", (path) => {
      using database = new DatabaseSync(path);
      database.exec("DROP TABLE facts; PRAGMA user_version = 0");
    }],
  ];
  for (const [name, damage] of cases) {
    await t.step(name, async () => {
      await using world = await indexWorld({ "a.txt": "alpha\n", "b.txt": "beta beta\n" });
      await world.follow();
      const path = await world.database();
      using other = await world.another();
      // A database is closed, as between two runs.
      (world.index as Partial<Disposable>)[Symbol.dispose]?.();
      damage(path);
      deepStrictEqual(await world.places("alpha"), ["a.txt"]);
      match((await world.status()).text, /^2 files in 2 chunks/);
      strictEqual((await other.status()).files, 2);
    });
  }
});

Deno.test("an index of a newer version is left alone", async () => {
  await using world = await indexWorld({ "a.txt": "alpha\n" });
  await world.follow();
  (world.index as Partial<Disposable>)[Symbol.dispose]?.();
  const path = await world.database();
  {
    using database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
  }
  const before = await Deno.readFile(path);
  for (const outcome of [await world.search("alpha"), await world.status(), await world.follow()]) {
    strictEqual(outcome.isError, true);
    match(outcome.text, /^Cannot use the index ".*": a newer Cordon made it, use that one or/);
  }
  // Whoever has a code is told in words, without a stack.
  await rejects(world.index.status(), { name: "IndexError", code: "INDEX_UNUSABLE" });
  deepStrictEqual(await Deno.readFile(path), before);
});

Deno.test("an index is its owner's alone", async () => {
  await using world = await indexWorld({ "a.txt": "alpha\n" });
  await world.follow();
  const folder = dirname(await world.database());
  const mode = async (path: string) => ((await Deno.stat(path)).mode ?? 0) & 0o777;
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  strictEqual(names.length, 4, "the database, its log, what its readers share, its lock");
  for (const name of names) strictEqual(await mode(join(folder, name)), 0o600, name);
  strictEqual(await mode(folder), 0o700);
});

Deno.test({
  name: "a full disk and one that may not be written are told",
  ignore: !await canMount(),
  async fn() {
    await using disk = await tinyDisk();
    await using world = await indexWorld({ "a.txt": "alpha\n" }, { folder: disk.join("index") });
    const full = await world.search("alpha");
    strictEqual(full.isError, true);
    match(full.text, /^Cannot use the index ".*": the disk is full or broken: make room, or name/);
    await disk.seal();
    const sealed = await world.search("alpha");
    strictEqual(sealed.isError, true);
    match(sealed.text, /^Cannot use ".*": .*Read-only file system/);
  },
});

const MANY = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, n) => [`f${n}.txt`, `word${n} common\n`.repeat(20)]),
);

Deno.test("what was indexed before a kill is kept, and the rest follows", async () => {
  await using world = await indexWorld(MANY);
  const killed = startProgram(world.join("."), world.dir.join("state", "index"));
  for await (const line of killed.lines) {
    if (line.startsWith("indexed")) break;
  }
  killed.kill();
  await killed.status;
  const { read } = (await world.follow()).value as { read: number };
  ok(read > 0 && read < 1_000, `${read}`);
  match((await world.status()).text, /^1000 files in 1000 chunks/);
  deepStrictEqual(await world.places("word0"), ["f0.txt"]);
  deepStrictEqual(await world.places("word999"), ["f999.txt"]);
});

Deno.test("two processes at once leave one whole index", async () => {
  await using world = await indexWorld(MANY);
  const folder = world.dir.join("state", "index");
  const both = [startProgram(world.join("."), folder), startProgram(world.join("."), folder)];
  const ends = await Promise.all(both.map(async ({ lines, status }) => {
    const all = await Array.fromAsync(lines);
    ok((await status).success);
    return JSON.parse(all.at(-1) ?? "").state;
  }));
  ok(ends.includes("updated"), `${ends}`);
  match((await world.status()).text, /^1000 files in 1000 chunks/);
  strictEqual((await world.follow()).text, "Index updated: 0 files read, 0 gone");
});

function startProgram(workspace: string, folder: string) {
  const { DENO_DIR, HOME } = { DENO_DIR: Deno.env.get("DENO_DIR"), HOME: Deno.env.get("HOME") };
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--cached-only", PROGRAM, workspace, folder],
    ...{ clearEnv: true, detached: true, stdin: "null", stdout: "piped", stderr: "inherit" },
    env: { DENO_NO_UPDATE_CHECK: "1", ...(DENO_DIR && { DENO_DIR }), ...(HOME && { HOME }) },
  }).spawn();
  return {
    lines: linesOf(child.stdout),
    status: child.status,
    kill: () => child.kill("SIGKILL"),
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}
