import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { lutimesSync } from "node:fs";
import { digestOf } from "../../../sandbox/snapshots/digest.ts";
import { type Scan, type ScanOptions, scanWorkspace } from "../../../sandbox/snapshots/scan.ts";
import type { SeenEntry, SeenFolder } from "../../../sandbox/snapshots/seen.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

/** A time at which every change of a test is long past. */
const LATER = () => Date.now() + 60_000;

/** Scans when whatever the test has changed is long past, and has other times than what it was. */
function scan(root: string, options: Partial<ScanOptions> = {}): Promise<Scan> {
  if (!options.now) age(root, Date.now() / 1000 - 60);
  return scanWorkspace({
    ...{ root, previous: undefined, keepsCovered: false, except: [], now: LATER, keep: digestOf },
    ...{ maxNewBytes: 1e9, maxMs: 1e9 },
    ...options,
  });
}

Deno.test("a second scan reads nothing that did not change, and answers the same object", async () => {
  await using dir = await tempDir({
    "a/b/f": "one",
    "a/g": "two",
    ".gitignore": "*.log\n",
    "x.log": "",
  });
  await Deno.symlink("a", dir.join("l"));
  const first = await scan(dir.path);
  deepStrictEqual([first.filesRead, first.entries, first.filesPutOff], [4, 7, 0]);
  const second = await scan(dir.path, { previous: first.root });
  strictEqual(second.filesRead, 0);
  strictEqual(second.root, first.root);
  await Deno.writeTextFile(dir.join("a/b/f"), "two");
  const third = await scan(dir.path, { previous: second.root });
  strictEqual(third.filesRead, 1);
  strictEqual(entry(third.root, "a", "g"), entry(first.root, "a", "g"));
  ok(third.root.tree !== first.root.tree);
});

Deno.test("what changed a moment ago is read again, for its times may not tell", async () => {
  await using dir = await tempDir({ f: "one" });
  const first = await scan(dir.path, { now: Date.now });
  const second = await scan(dir.path, { previous: first.root, now: Date.now });
  strictEqual(second.filesRead, 1);
  strictEqual(second.root.tree, first.root.tree);
});

Deno.test("the tree depends on nothing but content", async () => {
  await using one = await tempDir({ b: "2", "a/c": "1" });
  await using other = await tempDir({ "a/c": "1", b: "2" });
  strictEqual((await scan(one.path)).root.tree, (await scan(other.path)).root.tree);
  await Deno.chmod(other.join("b"), 0o600);
  ok((await scan(one.path)).root.tree !== (await scan(other.path)).root.tree);
});

Deno.test("without time or room files are put off, and the next scan gets on with them", async () => {
  await using dir = await tempDir({ a: "1", b: "22", c: "333" });
  const late = await scan(dir.path, { maxMs: 0 });
  deepStrictEqual([late.filesRead, late.filesPutOff], [0, 3]);
  strictEqual(late.root.entries.get("a")?.kind, "left_out");
  const small = await scan(dir.path, { previous: late.root, maxNewBytes: 3 });
  deepStrictEqual([small.filesRead, small.filesPutOff], [2, 1]);
  const rest = await scan(dir.path, { previous: small.root, maxNewBytes: 3 });
  deepStrictEqual([rest.filesRead, rest.filesPutOff], [1, 0]);
  strictEqual(rest.root.tree, (await scan(dir.path)).root.tree);
});

Deno.test("what is left out, and why", async (t) => {
  const MANY = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`${n}`, ""]));
  const inside = (folder: string) =>
    Object.fromEntries(Object.entries(MANY).map(([name, text]) => [`${folder}/${name}`, text]));
  const cases: [
    name: string,
    files: Record<string, string>,
    path: string[],
    why: string | undefined,
  ][] = [
    ["a small ignored folder is covered", { ".gitignore": "d", "d/f": "" }, ["d", "f"], undefined],
    [
      "a large one is not",
      { ".gitignore": "d", ...inside("d") },
      ["d"],
      "ignore rules hide it, and it holds more than 200 entries",
    ],
    ["a large one that no rule hides is covered", inside("d"), ["d", "7"], undefined],
    [
      "rules of a folder below",
      { "p/.gitignore": "d/", ...inside("p/d") },
      ["p", "d"],
      "ignore rules hide it, and it holds more than 200 entries",
    ],
    [
      "rules that take it back",
      { ".gitignore": "d*\n!d1\n", ...inside("d1") },
      ["d1", "7"],
      undefined,
    ],
    [
      "a large ignored file",
      { ".gitignore": "*.bin", "f.bin": "x".repeat(1_048_577) },
      ["f.bin"],
      "it is larger than 1 MiB",
    ],
    ["a large file that no rule hides", { "f.bin": "x".repeat(1_048_577) }, ["f.bin"], undefined],
    [
      "node_modules, ignored or not",
      { "a/node_modules/f": "" },
      ["a", "node_modules"],
      "node_modules is made again by a command",
    ],
    [
      "a tagged cache",
      { "c/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n", "c/f": "" },
      ["c"],
      "CACHEDIR.TAG says that it is a cache",
    ],
    ["a tag of no meaning", { "c/CACHEDIR.TAG": "hello", "c/f": "" }, ["c", "f"], undefined],
  ];
  for (const [name, files, path, why] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir(files);
      const found = entry((await scan(dir.path)).root, ...path);
      strictEqual(found?.kind === "left_out" ? found.why : undefined, why);
      ok(found);
    });
  }
});

Deno.test("git's own files are no part of it, wherever they lie", async () => {
  await using dir = await tempDir({ ".git/HEAD": "", "sub/.git": "gitdir: x", "sub/f": "" });
  const { root } = await scan(dir.path);
  deepStrictEqual([...root.entries.keys()], ["sub"]);
  strictEqual(entry(root, "sub", ".git"), undefined);
});

Deno.test("what was covered stays covered through the end of a task", async () => {
  await using dir = await tempDir({ "d/f": "one" });
  const { root } = await scan(dir.path);
  await Deno.writeTextFile(dir.join(".gitignore"), "d\n");
  for (let n = 0; n < 201; n++) await Deno.writeTextFile(dir.join(`d/new${n}`), "");
  await Deno.writeTextFile(dir.join("d/f"), "two");
  const after = await scan(dir.path, { previous: root, keepsCovered: true });
  const folder = entry(after.root, "d");
  deepStrictEqual(folder?.kind === "folder" && [...folder.entries.keys()], ["f"]);
  ok(entry(after.root, "d", "f") !== entry(root, "d", "f"));
  strictEqual(entry((await scan(dir.path, { previous: after.root })).root, "d")?.kind, "left_out");
});

Deno.test("folders past the limit of entries are left out, and it is told", async () => {
  await using dir = await tempDir({ "a/1": "", "a/2": "", "b/1": "", "b/2": "" });
  const all = await scan(dir.path, { maxEntries: 6 });
  strictEqual(all.stopped, false);
  const { root, stopped } = await scan(dir.path, { maxEntries: 3 });
  strictEqual(stopped, true);
  deepStrictEqual([...root.entries.values()].map(({ kind }) => kind).sort(), [
    "folder",
    "left_out",
  ]);
});

Deno.test("a scan ends with its signal", async () => {
  await using dir = await tempDir({ a: "", b: "" });
  const stop = new AbortController();
  stop.abort(new Error("enough"));
  // Every look lasts longer than a slice.
  const slow = () => {
    for (const end = performance.now() + 30; performance.now() < end;);
    return Date.now();
  };
  const options = {
    root: dir.path,
    previous: undefined,
    keepsCovered: false,
    except: [],
    now: slow,
  };
  await rejects(
    scanWorkspace({ ...options, keep: digestOf, maxNewBytes: 1, maxMs: 1 }, stop.signal),
    /enough/,
  );
});

Deno.test({
  name: "what cannot be read is left out, and not taken for deleted (not as root)",
  ignore: Deno.uid() === 0,
  async fn() {
    await using dir = await tempDir({ f: "one", "d/g": "one", "e/h": "one" });
    const { root } = await scan(dir.path);
    await Deno.chmod(dir.join("f"), 0);
    await Deno.chmod(dir.join("d"), 0);
    await Deno.chmod(dir.join("e"), 0o600);
    const after = await scan(dir.path, { previous: root });
    await Deno.chmod(dir.join("d"), 0o700);
    await Deno.chmod(dir.join("e"), 0o700);
    const kinds = [["f"], ["d"], ["e", "h"]].map((path) => entry(after.root, ...path)?.kind);
    deepStrictEqual(kinds, ["left_out", "left_out", "left_out"]);
  },
});

let aged = 0;

/**
 * Gives what was changed since `seconds` a modification time before that, and each its own: else two
 * changes could fall into one tick of the file system's clock, which is why a scan waits a moment
 * before it trusts times.
 */
function age(path: string, seconds: number): void {
  const info = Deno.lstatSync(path);
  if (info.isDirectory) {
    for (const name of namesIn(path)) age(`${path}/${name}`, seconds);
  }
  if ((info.mtime?.getTime() ?? 0) < seconds * 1000) return;
  const time = seconds - ++aged;
  lutimesSync(path, time, time);
}

/** Names of what can be read and looked at. */
function namesIn(folder: string): string[] {
  const { mode } = Deno.lstatSync(folder);
  const isOpen = ((mode ?? 0) & 0o500) === 0o500;
  return isOpen ? [...Deno.readDirSync(folder)].map(({ name }) => name) : [];
}

function entry(root: SeenFolder, ...path: string[]): SeenEntry | undefined {
  const [name = "", ...below] = path;
  const found = root.entries.get(name);
  if (below.length === 0) return found;
  return found?.kind === "folder" ? entry(found, ...below) : undefined;
}
