import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { followTree } from "../../../tools/rag/follow.ts";
import { indexWorld } from "./index_world.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("a search sees the tree as it is", async (t) => {
  await using world = await indexWorld({ "a.txt": "alpha\n", "b/c.txt": "gamma\n" });
  await t.step("at first", async () => {
    deepStrictEqual(await world.places("alpha"), ["a.txt"]);
  });
  await t.step("a change", async () => {
    await Deno.writeTextFile(world.join("a.txt"), "delta, of another size\n");
    deepStrictEqual([await world.places("alpha"), await world.places("delta")], [[], ["a.txt"]]);
  });
  await t.step("a change of the same size by another file in its place", async () => {
    const { mtime } = await Deno.stat(world.join("a.txt"));
    await Deno.writeTextFile(world.join("new"), "omega, of another size\n");
    await Deno.utime(world.join("new"), mtime ?? 0, mtime ?? 0);
    await Deno.rename(world.join("new"), world.join("a.txt"));
    deepStrictEqual(await world.places("omega"), ["a.txt"]);
  });
  await t.step("a new file, and one that moved", async () => {
    await Deno.writeTextFile(world.join("n.txt"), "epsilon\n");
    await Deno.rename(world.join("b/c.txt"), world.join("c.txt"));
    deepStrictEqual([await world.places("epsilon"), await world.places("gamma")], [["n.txt"], [
      "c.txt",
    ]]);
  });
  await t.step("a file that is gone", async () => {
    await Deno.remove(world.join("c.txt"));
    deepStrictEqual(await world.places("gamma"), []);
    match((await world.status()).text, /^2 files in 2 chunks/);
  });
});

Deno.test("only what has changed is read", async () => {
  await using world = await indexWorld({
    "a.txt": "alpha\n",
    "b.txt": "beta\n",
    "c.txt": "gamma\n",
  });
  const read: string[] = [];
  const files = {
    ...world.files,
    readMany(query: Parameters<typeof world.files.readMany>[0]) {
      read.push(...query.paths);
      return world.files.readMany(query);
    },
  };
  const follow = () =>
    followTree({ files, index: world.index, signal: new AbortController().signal, progress() {} });
  await follow();
  deepStrictEqual(read.splice(0), ["a.txt", "b.txt", "c.txt"]);
  await Deno.writeTextFile(world.join("b.txt"), "other\n");
  await follow();
  await follow();
  deepStrictEqual(read, ["b.txt"]);
});

Deno.test("which files are searched", async (t) => {
  await using world = await indexWorld({
    ".gitignore": "ignored/\n*.log\n",
    ".cordonignore": "private.txt\n",
    "ignored/a.txt": "needle\n",
    "x.log": "needle\n",
    "private.txt": "needle\n",
    ".hidden.txt": "needle\n",
    "sub/.gitignore": "!y.log\n",
    "sub/y.log": "needle\n",
    "binary.bin": new Uint8Array([110, 101, 101, 100, 108, 101, 0, 1, 2]),
    "large.txt": `needle\n${"x".repeat(2 * 1024 * 1024)}`,
    "line.json": `{"needle": "${"long ".repeat(300_000)}"}`,
    "latin.txt": new Uint8Array([...bytes("needle Gr"), 0xf6, 0xdf, 0x65]),
    "utf16.txt": new Uint8Array([
      0xff,
      0xfe,
      ...[..."needle"].flatMap((c) => [c.charCodeAt(0), 0]),
    ]),
    "empty.txt": "",
    "bom.txt": "\uFEFFneedle\n",
  });
  await Deno.symlink(world.dir.path, world.join("loop"));
  await Deno.symlink(world.join("bom.txt"), world.join("link.txt"));
  await Deno.writeTextFile(world.dir.join("outside.txt"), "needle\n");
  await Deno.symlink(world.dir.join("outside.txt"), world.join("out.txt"));
  await t.step("text of every encoding that ignore files leave", async () => {
    deepStrictEqual((await world.places({ query: "needle", max_results: 30 })).sort(), [
      "bom.txt",
      "latin.txt",
      "line.json",
      "sub/y.log",
      "utf16.txt",
    ]);
    deepStrictEqual(await world.places("größe"), ["latin.txt"]);
  });
  await t.step("what is left out is counted, with the reason", async () => {
    const { value, text } = await world.status();
    deepStrictEqual(value.skipped, [
      { reason: "binary", count: 1, examples: ["binary.bin"] },
      { reason: "too_large", count: 1, examples: ["large.txt"] },
    ]);
    match(text, /Left out, no text: 1 \(binary\.bin\)\nLeft out, over 2 MB: 1 \(large\.txt\)$/);
  });
});

Deno.test({
  name: "names of every kind",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using world = await indexWorld({
      "with space/a b.txt": "needle\n",
      "new\nline.txt": "needle\n",
      "q'uote\"%.txt": "needle\n",
      "日本語.txt": "needle\n",
    });
    const bad = new Deno.Command("bash", {
      args: ["-c", `printf 'needle\\n' > "$1"/$'bad\\xff.txt'`, "bash", world.join(".")],
      ...{ clearEnv: true, detached: true },
      env: { PATH: "/usr/bin:/bin" },
    }).spawn();
    ok((await bad.status).success);
    const { isError, text } = await world.search("needle");
    strictEqual(isError, false);
    deepStrictEqual((await world.places("needle")).sort(), [
      "new\nline.txt",
      "q'uote\"%.txt",
      "with space/a b.txt",
      "日本語.txt",
    ]);
    ok(!text.includes("new\nline"), "a name stays on its line");
  },
});

Deno.test("secrets are not in the index", async (t) => {
  const key = ["-----BEGIN PRIVATE KEY-----", "c2VjcmV0".repeat(8), "-----END PRIVATE KEY-----"];
  await using world = await indexWorld({
    "config.ts": 'const password = "hunter2hunter2";\nconst other = 1;\n',
    "server.key": key.join("\n"),
    "plain.txt": "password of nobody\n",
  }, { secrets: [{ name: "PASSWORD", value: "hunter2hunter2" }] });
  await t.step("a secret cannot be searched for, what stands beside it can", async () => {
    deepStrictEqual(await world.places("hunter2hunter2"), []);
    deepStrictEqual((await world.places("password")).sort(), ["config.ts", "plain.txt"]);
  });
  await t.step("no file of the index holds it", async () => {
    const path = await world.database();
    for (const name of [path, `${path}-wal`]) {
      const raw = await Deno.readFile(name).catch(() => new Uint8Array());
      ok(!new TextDecoder("latin1").decode(raw).includes("hunter2"));
    }
  });
  await t.step("a file with a key is left out", async () => {
    match((await world.status()).text, /hold a secret key: 1 \(server\.key\)/);
  });
});

Deno.test("a file that changed after it was indexed is shown as it is, and marked", async () => {
  await using world = await indexWorld({ "a.txt": "needle one\n", "b.txt": "needle two\n" });
  await world.follow();
  await using other = await holdLock(world.database());
  await Deno.writeTextFile(world.join("a.txt"), "needle has changed\n");
  await Deno.remove(world.join("b.txt"));
  const { text } = await world.search("needle");
  match(
    text,
    /a\.txt:1-2 \(\d\.\d\d\) \[changed since it was indexed\]\n {5}1\tneedle has changed/,
  );
  match(text, /\[another process updates the index: what it has so far was searched\]$/);
  ok(!text.includes("b.txt"));
  ok(other);
});

Deno.test("rag_index", async (t) => {
  await using world = await indexWorld({ "a.txt": "alpha\n", "sub/b.txt": "beta\n" });
  await t.step("only some paths", async () => {
    strictEqual(
      (await world.follow({ paths: ["sub/**"] })).text,
      "Index updated: 1 files read, 0 gone",
    );
    match((await world.status()).text, /^1 files in 1 chunks.*\nLast whole update: none$/);
  });
  await t.step("the rest", async () => {
    strictEqual((await world.follow()).text, "Index updated: 1 files read, 0 gone");
    match((await world.status()).text, /Last whole update: 2026-01-02T03:04:05\.000Z$/);
  });
  await t.step("anew", async () => {
    const { text } = await world.follow({ rebuild: true });
    strictEqual(text, "Index made anew: 2 files read, 0 gone");
  });
});

/** Holds an index's lock, as a process that updates it does. */
async function holdLock(database: Promise<string>): Promise<AsyncDisposable> {
  const file = await Deno.open(`${await database}.lock`, { write: true });
  await file.lock(true);
  return { [Symbol.asyncDispose]: () => Promise.resolve(file.close()) };
}
