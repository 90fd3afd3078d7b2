import { deepStrictEqual } from "node:assert/strict";
import { openChecked } from "../../../sandbox/files/checked_open.ts";
import { createGuard, type Place } from "../../../sandbox/files/guard.ts";
import { createFiles } from "../../../sandbox/files/guarded_files.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";

async function house(): Promise<TempDir> {
  return await tempDir({ "ws/d/f": "inside", "outside/f": "outside" });
}

async function placeOf(dir: TempDir, path: string): Promise<Place> {
  const guard = createGuard({ roots: { workspace: dir.join("ws") }, cwd: () => dir.join("ws") });
  const resolved = await guard.resolve(path, "read");
  if (!resolved.ok) throw new Error(resolved.message);
  return resolved.place;
}

async function mkfifo(path: string): Promise<void> {
  const child = new Deno.Command("mkfifo", { args: [path], detached: true }).spawn();
  await child.status;
}

Deno.test("openChecked() refuses what was swapped since the path was resolved", async (t) => {
  type Swap = (dir: TempDir) => Promise<void>;
  const outside = (dir: TempDir) => `resolves to ${dir.join("outside/f")}, outside the workspace`;
  const swaps: [name: string, swap: Swap, want: (dir: TempDir) => [string, string]][] = [
    ["its folder for a link out", async (dir) => {
      await Deno.rename(dir.join("ws/d"), dir.join("ws/d_off"));
      await Deno.symlink("../outside", dir.join("ws/d"));
    }, (dir) => ["denied", `path traversal: d/f ${outside(dir)}`]],
    ["itself for a link out", async (dir) => {
      await Deno.remove(dir.join("ws/d/f"));
      await Deno.symlink(dir.join("outside/f"), dir.join("ws/d/f"));
    }, (dir) => ["denied", `path traversal: d/f ${outside(dir)}`]],
    ["itself for a FIFO", async (dir) => {
      await Deno.remove(dir.join("ws/d/f"));
      await mkfifo(dir.join("ws/d/f"));
    }, () => ["not_a_file", "d/f is a FIFO, not a file"]],
    ["itself for nothing", async (dir) => {
      await Deno.remove(dir.join("ws/d/f"));
    }, () => ["not_a_file", "d/f is not there"]],
  ];
  for (const [name, swap, want] of swaps) {
    await t.step(name, async () => {
      await using dir = await house();
      const place = await placeOf(dir, "d/f");
      await swap(dir);
      const opened = await openChecked(place, "read");
      deepStrictEqual(opened.ok ? "opened" : [opened.reason, opened.message], want(dir));
    });
  }
  await t.step("nothing: it opens", async () => {
    await using dir = await house();
    const opened = await openChecked(await placeOf(dir, "d/f"), "read");
    deepStrictEqual(opened.ok, true);
    if (opened.ok) await opened.file.handle.close();
  });
});

Deno.test("while a folder is swapped for a link all the time, no byte crosses the border", async () => {
  await using dir = await house();
  await Deno.symlink("../outside", dir.join("ws/link"));
  const files = createFiles({ roots: { workspace: dir.join("ws") }, cwd: () => dir.join("ws") });
  await using swapping = swapForever(dir);
  await swapping.begun;
  const seen = new Set<string>();
  // Until enough rounds have read something, else nothing was tried.
  for (let reads = 0; reads < 50;) {
    const read = await files.read("d/f");
    if (!read.ok) continue;
    reads++;
    seen.add(new TextDecoder().decode(read.bytes).toLowerCase());
    const bytes = new TextEncoder().encode("I");
    await files.replace("d/f", read.version, [{ start: 0, end: 1, bytes }]);
  }
  deepStrictEqual(await Deno.readTextFile(dir.join("outside/f")), "outside");
  for await (const { name } of Deno.readDir(dir.join("outside"))) {
    // What a swap between two system calls can leave there is an empty file, and no byte in it.
    if (name !== "f") deepStrictEqual((await Deno.lstat(dir.join("outside", name))).size, 0);
  }
  deepStrictEqual([...seen], ["inside"]);
});

/** Another process that swaps `ws/d` for a link to `outside` and back, as fast as it can. */
function swapForever(dir: TempDir): AsyncDisposable & { readonly begun: Promise<unknown> } {
  const program = `
    const [folder, off, link] = ["ws/d", "ws/d_off", "ws/link"];
    for (let round = 0; ; round++) {
      Deno.renameSync(folder, off);
      Deno.renameSync(link, folder);
      Deno.renameSync(folder, link);
      Deno.renameSync(off, folder);
      if (round === 0) console.log("begun");
    }
  `;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", program],
    cwd: dir.path,
    env: Deno.env.toObject(),
    clearEnv: true,
    detached: true,
    stdout: "piped",
  }).spawn();
  const output = child.stdout.getReader();
  return {
    begun: output.read(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      await output.cancel();
    },
  };
}
