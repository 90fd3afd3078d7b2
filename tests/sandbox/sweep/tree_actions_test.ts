import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { clearSetIds, putInPlace, readSeen } from "../../../sandbox/sweep/tree_actions.ts";
import type { Seen } from "../../../sandbox/sweep/scan.ts";
import { lookAt } from "../../../sandbox/sweep/walk_tree.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

function seenAt(root: string, path: string): Seen {
  const seen = lookAt(root, path, "a reason");
  ok(seen);
  return seen;
}

function read(root: string, seen: Seen, maxBytes = 100): string | undefined {
  const bytes = readSeen(root, seen, maxBytes);
  return bytes && new TextDecoder().decode(bytes);
}

Deno.test("readSeen() reads the file that was seen, or the target of the link", async () => {
  await using dir = await tempDir({ "a/b": "one" });
  await Deno.symlink("/nowhere", dir.join("link"));
  strictEqual(read(dir.path, seenAt(dir.path, "a/b")), "one");
  strictEqual(read(dir.path, seenAt(dir.path, "link")), "/nowhere");
  strictEqual(read(dir.path, seenAt(dir.path, "a/b"), 3), "one");
  strictEqual(read(dir.path, seenAt(dir.path, "a/b"), 2), undefined);
});

Deno.test("readSeen() passes over a file that may not be read (needs an ordinary user)", {
  ignore: Deno.uid() === 0,
}, async () => {
  await using dir = await tempDir({ ".env": "TOKEN=x" });
  await Deno.chmod(dir.join(".env"), 0);
  strictEqual(read(dir.path, seenAt(dir.path, ".env")), undefined);
});

Deno.test("readSeen() neither follows nor waits for what has taken the file's place", async (t) => {
  const swaps: [name: string, swap: (path: string, other: string) => Promise<void>][] = [
    ["nothing", () => Promise.resolve()],
    ["another file", (path, other) => Deno.rename(other, path)],
    ["a link", (path, other) => Deno.symlink(other, path)],
    ["a FIFO (not on Windows)", (path) => mkfifo(path)],
    ["a folder", (path) => Deno.mkdir(path)],
  ];
  for (const [name, swap] of swaps) {
    await t.step({
      name,
      ignore: name.startsWith("a FIFO") && Deno.build.os === "windows",
      async fn() {
        await using dir = await tempDir({ "a/b": "mine", other: "theirs" });
        const seen = seenAt(dir.path, "a/b");
        await Deno.remove(dir.join("a/b"));
        await swap(dir.join("a/b"), dir.join("other"));
        strictEqual(read(dir.path, seen), undefined);
      },
    });
  }
  await t.step("a link in place of its folder", async () => {
    await using dir = await tempDir({ "a/b": "mine" });
    const seen = seenAt(dir.path, "a/b");
    await Deno.rename(dir.join("a"), dir.join("old"));
    await Deno.symlink("old", dir.join("a"));
    strictEqual(read(dir.path, seen), undefined);
  });
});

async function mkfifo(path: string): Promise<void> {
  const child = new Deno.Command("mkfifo", {
    args: [path],
    detached: true,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "" },
  }).spawn();
  ok((await child.status).success);
}

Deno.test("clearSetIds() and putInPlace() leave nothing else behind", async () => {
  await using dir = await tempDir({ tool: "x" });
  await Deno.chmod(dir.join("tool"), 0o6751);
  const seen = seenAt(dir.path, "tool");
  strictEqual(clearSetIds(dir.path, seen), true);
  strictEqual((await Deno.stat(dir.join("tool"))).mode! & 0o7777, 0o751);
  putInPlace(dir.path, "tool", { kind: "file", bytes: new Uint8Array([121]), mode: 0o4640 });
  strictEqual((await Deno.stat(dir.join("tool"))).mode! & 0o7777, 0o640);
  strictEqual(clearSetIds(dir.path, seen), false);
  deepStrictEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name), ["tool"]);
});
