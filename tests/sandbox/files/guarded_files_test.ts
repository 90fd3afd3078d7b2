import { fileURLToPath } from "node:url";
import { deepStrictEqual } from "node:assert/strict";
import { testFiles } from "../../helpers/both_files.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

testFiles("stat(), read() and list() tell what is there", async (open) => {
  await using dir = await tempDir({ "sub/a.txt": "hello" });
  await Deno.chmod(dir.join("sub/a.txt"), 0o640);
  await Deno.symlink("sub/a.txt", dir.join("link"));
  const files = open({ roots: { workspace: dir.path }, cwd: () => dir.path });
  const { mtime } = await Deno.lstat(dir.join("sub/a.txt"));
  const facts = {
    path: "link",
    real: dir.join("sub/a.txt"),
    kind: "file",
    size: 5,
    mtimeMs: mtime?.getTime(),
    mode: 0o640,
  };
  deepStrictEqual(await files.stat("link"), { ok: true, facts });
  deepStrictEqual(await files.read("link"), {
    ok: true,
    facts,
    version: {
      size: 5,
      hash: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    },
    bytes: new TextEncoder().encode("hello"),
  });
  deepStrictEqual(await files.list("."), {
    ok: true,
    path: ".",
    entries: [{ name: "link", kind: "link", size: 0 }, { name: "sub", kind: "folder", size: 0 }],
  });
  const folder = await files.stat("sub");
  deepStrictEqual(folder.ok && [folder.facts.kind, folder.facts.path], ["folder", "sub"]);
});

testFiles("read() refuses what is past its limit, and takes what is at it", async (open) => {
  await using dir = await tempDir({ "a": "12345" });
  const files = open({ roots: { workspace: dir.path }, cwd: () => dir.path });
  deepStrictEqual((await files.read("a", { maxBytes: 5 })).ok, true);
  deepStrictEqual(await files.read("a", { maxBytes: 4 }), {
    ok: false,
    reason: "too_large",
    path: "a",
    message: "a has 5 bytes, more than the 4 that are read at once",
  });
});

testFiles("paths follow the working folder of the moment", async (open) => {
  await using dir = await tempDir({ "a": "top", "sub/a": "below" });
  let cwd = dir.path;
  const files = open({ roots: { workspace: dir.path }, cwd: () => cwd });
  const first = files.read("a");
  cwd = dir.join("sub");
  const second = files.read("a");
  const texts = (await Promise.all([first, second]))
    .map((read) => read.ok && new TextDecoder().decode(read.bytes));
  deepStrictEqual(texts, ["top", "below"]);
});

Deno.test("all operations work with rights to the workspace alone, and none beyond it", async () => {
  await using dir = await tempDir({ "ws/a": "one x\n", "ws/sub/b": "two x\n", "outside/c": "x" });
  await Deno.symlink("../outside/c", dir.join("ws/out"));
  await Deno.symlink("/proc/self/environ", dir.join("ws/environ"));
  const program = `
    ${filesOf(dir.join("ws"))}
    const word = async (answer) => { const { ok, reason } = await answer; return ok ? "ok" : reason; };
    const version = async (path) => (await files.read(path)).version;
    const bytes = new TextEncoder().encode("new");
    const outside = ${JSON.stringify(dir.join("outside/c"))};
    console.log(JSON.stringify({
      stat: await word(files.stat("a")),
      list: await word(files.list("sub")),
      walk: (await files.walk({ path: ".", limit: 9 })).paths,
      search: (await files.search({ path: ".", pattern: "x", limit: 9 })).total,
      create: await word(files.create("new/d", bytes)),
      replace: await word(files.replace("a", await version("a"), [{ start: 0, end: 3, bytes }])),
      remove: await word(files.remove("sub/b", await version("sub/b"))),
      denied: [
        await word(files.read(outside)),
        await word(files.read("out")),
        await word(files.read("environ")),
        await word(files.stat("/proc/self/environ")),
        await word(files.list("..")),
        await word(files.create("../outside/d", bytes)),
        await word(files.replace("out", { size: 1, hash: "" }, [])),
      ],
    }));
  `;
  const rights = [`--allow-read=${dir.join("ws")}`, `--allow-write=${dir.join("ws")}`];
  deepStrictEqual(await runUnder(rights, program), {
    stat: "ok",
    list: "ok",
    walk: ["a", "sub/b"],
    search: 2,
    create: "ok",
    replace: "ok",
    remove: "ok",
    denied: Array.from({ length: 7 }, () => "denied"),
  });
  deepStrictEqual(await Deno.readTextFile(dir.join("ws/a")), "new x\n");
  deepStrictEqual(await Deno.readTextFile(dir.join("outside/c")), "x");
});

Deno.test("a folder that Deno's own flags close is denied and not an error", async () => {
  await using dir = await tempDir({ "open/a": "x", "closed/b": "x" });
  const program = `
    ${filesOf(dir.path)}
    const reasons = [];
    for (const path of ["open/a", "closed/b"]) reasons.push((await files.read(path)).reason ?? "ok");
    console.log(JSON.stringify(reasons));
  `;
  const rights = [`--allow-read=${dir.path}`, `--deny-read=${dir.join("closed")}`];
  deepStrictEqual(await runUnder(rights, program), ["ok", "denied"]);
});

/** The head of a program that has the files of a workspace. */
function filesOf(workspace: string): string {
  const module = import.meta.resolve("../../../sandbox/files/guarded_files.ts");
  return `
    import { createFiles } from ${JSON.stringify(module)};
    const workspace = ${JSON.stringify(workspace)};
    const files = createFiles({ roots: { workspace }, cwd: () => workspace });
  `;
}

/** Runs a program with these of Deno's rights and no others; resolves to the JSON that it prints. */
async function runUnder(rights: readonly string[], program: string): Promise<unknown> {
  await using dir = await tempDir({ "main.ts": program });
  const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));
  const flags = ["--no-prompt", "--cached-only", "--config", config];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, ...rights, dir.join("main.ts")],
    env: Deno.env.toObject(),
    clearEnv: true,
    detached: true,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return JSON.parse(await new Response(child.stdout).text());
}
