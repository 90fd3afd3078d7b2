import { fileURLToPath } from "node:url";
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { type CellFiles, createCellFiles } from "../../../sandbox/cell/client.ts";
import type { PipedProcess } from "../../../sandbox/commands/piped_process.ts";
import { cellHouse } from "../../helpers/cell.ts";
import { gone, isAlive } from "../../helpers/processes.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { canMount, tinyDisk } from "../../helpers/tiny_disk.ts";

interface House extends AsyncDisposable {
  readonly files: CellFiles;
  readonly started: PipedProcess[];
  /** In the workspace. */
  join(...names: string[]): string;
}

interface HouseOptions {
  readonly timeoutMs?: number;
  /** Default the workspace. */
  readonly cwd?: (workspace: string) => string;
  readonly workspace?: string;
}

/** A workspace with files and real cells for it. */
async function house(
  content: Record<string, string | Uint8Array> = {},
  { timeoutMs = 60_000, cwd = (workspace) => workspace, ...options }: HouseOptions = {},
): Promise<House> {
  const cells = await cellHouse();
  const dir = await tempDir(content);
  const workspace = options.workspace ?? dir.path;
  const started: PipedProcess[] = [];
  const files = createCellFiles({
    spawn() {
      const process = cells.start({ workspace });
      started.push(process);
      return process;
    },
    roots: { workspace },
    cwd: () => cwd(workspace),
    timeoutMs,
  });
  return {
    files,
    started,
    join: dir.join,
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]();
      await cells[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

Deno.test("bytes go and come exactly, whatever they are", async () => {
  await using home = await house();
  const { files } = home;
  for (const size of [0, 1, 255, 256 * 1024, 3_000_001]) {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 65_536) {
      crypto.getRandomValues(bytes.subarray(at, at + 65_536));
    }
    const created = await files.create(`f${size}`, bytes);
    strictEqual(created.ok, true);
    const read = await files.read(`f${size}`);
    ok(read.ok && Uint8Array.from(bytes).every((byte, at) => byte === read.bytes[at]));
    strictEqual(read.bytes.length, size);
    const onDisk = await Deno.readFile(home.join(`f${size}`));
    ok(onDisk.every((byte, at) => byte === bytes[at]));
  }
});

Deno.test("fifty requests at once get their own answers, from one cell", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `f${index}`);
  await using home = await house(Object.fromEntries(names.map((name) => [name, name.repeat(99)])));
  const reads = await Promise.all(names.map((name) => home.files.read(name)));
  deepStrictEqual(
    reads.map((read) => read.ok && new TextDecoder().decode(read.bytes)),
    names.map((name) => name.repeat(99)),
  );
  strictEqual(home.started.length, 1);
});

Deno.test("each request has the working folder of its moment", async () => {
  let folder = "";
  await using home = await house({ a: "top", "sub/a": "below" }, {
    cwd: (workspace) => `${workspace}/${folder}`,
  });
  const first = home.files.read("a");
  folder = "sub";
  const second = home.files.read("a");
  const texts = (await Promise.all([first, second]))
    .map((read) => read.ok && new TextDecoder().decode(read.bytes));
  deepStrictEqual(texts, ["top", "below"]);
});

Deno.test("replace() sends what changes and not the file", async () => {
  const cells = await cellHouse();
  await using _ = cells;
  await using dir = await tempDir({ a: "x".repeat(5_000_000) });
  let sent = 0;
  await using files = createCellFiles({
    spawn() {
      const process = cells.start({ workspace: dir.path });
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          sent += chunk.length;
          controller.enqueue(chunk);
        },
      });
      counting.readable.pipeTo(process.stdin).catch(() => {});
      return { ...process, stdin: counting.writable };
    },
    roots: { workspace: dir.path },
    cwd: () => dir.path,
  });
  const read = await files.read("a");
  if (!read.ok) throw new Error(read.message);
  const bytes = new TextEncoder().encode("new");
  const splices = [{ start: 1, end: 2, bytes }, { start: 4_999_999, end: 5_000_000, bytes }];
  const replaced = await files.replace("a", read.version, splices);
  strictEqual(replaced.ok, true);
  strictEqual(await Deno.readTextFile(dir.join("a")), `xnew${"x".repeat(4_999_997)}new`);
  ok(sent < 2_000, `${sent} bytes were sent`);
});

Deno.test("an error of the system comes as what it is", async (t) => {
  await t.step("a splice out of order", async () => {
    await using home = await house({ a: "one" });
    const read = await home.files.read("a");
    if (!read.ok) throw new Error(read.message);
    const splices = [{ start: 2, end: 1, bytes: new Uint8Array() }];
    await rejects(home.files.replace("a", read.version, splices), RangeError);
  });
  await t.step({
    name: "a folder that may not be read (not as root)",
    ignore: Deno.uid() === 0,
    async fn() {
      await using home = await house({ "closed/a": "x" });
      await Deno.chmod(home.join("closed"), 0);
      try {
        await rejects(home.files.list("closed"), Deno.errors.PermissionDenied);
      } finally {
        await Deno.chmod(home.join("closed"), 0o755);
      }
    },
  });
  await t.step({
    name: "a full disk (needs root that mounts)",
    ignore: !await canMount(),
    async fn() {
      await using disk = await tinyDisk();
      await using home = await house({}, { workspace: disk.path });
      await rejects(
        home.files.create("a", new Uint8Array(48 * 1024)),
        (error: Error) => "code" in error && error.code === "ENOSPC",
      );
      deepStrictEqual((await home.files.create("b", new Uint8Array(8 * 1024))).ok, true);
    },
  });
});

Deno.test("the flags of a cell hold where its guard is wrong", async () => {
  await using cells = await cellHouse();
  await using dir = await tempDir({ "ws/a": "x", "outside/b": "x" });
  await using files = createCellFiles({
    // The guard lets everything through; Deno was told the workspace alone.
    spawn: () => cells.start({ workspace: dir.join("ws") }),
    roots: { workspace: dir.join("ws"), extraWrite: [dir.path] },
    cwd: () => dir.join("ws"),
  });
  const answers = [
    await files.read("a"),
    await files.read("../outside/b"),
    await files.create("../outside/c", new Uint8Array()),
  ];
  deepStrictEqual(answers.map((answer) => answer.ok || answer.reason), [true, "denied", "denied"]);
});

Deno.test("a pattern that never ends costs its request and no other", async () => {
  await using home = await house({ a: `${"a".repeat(60)}b\n` }, { timeoutMs: 1_500 });
  const endless = { path: ".", pattern: "(a+)+$", limit: 1 };
  await rejects(home.files.search(endless), Deno.errors.TimedOut);
  deepStrictEqual((await home.files.read("a")).ok, true);
  strictEqual(home.started.length, 2);
  await gone(home.started.slice(0, 1).map(({ pid }) => pid));
});

Deno.test("a cell that was killed is replaced for the next request", async () => {
  await using home = await house({ a: "one" });
  const read = async () => (await home.files.read("a")).ok;
  strictEqual(await read(), true);
  home.started[0]?.kill();
  await home.started[0]?.status;
  strictEqual(await read(), true);
  strictEqual(home.started.length, 2);
});

Deno.test("a cell ends with its input, and by disposing", async () => {
  await using cells = await cellHouse();
  await using dir = await tempDir();
  const alone = cells.start({ workspace: dir.path });
  await alone.stdin.close();
  deepStrictEqual((await alone.status).code, 0);
  await Promise.all([alone.stdout.cancel(), alone.stderr.cancel()]);
  const started: PipedProcess[] = [];
  {
    await using files = createCellFiles({
      spawn() {
        const process = cells.start({ workspace: dir.path });
        started.push(process);
        return process;
      },
      roots: { workspace: dir.path },
      cwd: () => dir.path,
    });
    await files.list(".");
    ok(await isAlive(started[0]?.pid ?? 0));
  }
  ok(!await isAlive(started[0]?.pid ?? 0));
});

Deno.test("a cell that is told garbage says so and ends", async () => {
  await using cells = await cellHouse();
  await using dir = await tempDir();
  const cell = cells.start({ workspace: dir.path });
  const writer = cell.stdin.getWriter();
  await writer.write(new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n"));
  const words = await new Response(cell.stderr).text();
  deepStrictEqual([(await cell.status).code, /ProtocolError/.test(words)], [1, true]);
  await cell.stdout.cancel();
  // Its side is closed already, which closing ours then says.
  await writer.close().catch(() => {});
});

Deno.test("no cell outlives a warden that is killed", async () => {
  await using dir = await tempDir({ a: "x" });
  const program = `
    import { createCellFiles } from ${modulePath("../../../sandbox/cell/client.ts")};
    import { cellHouse } from ${modulePath("../../helpers/cell.ts")};
    const workspace = ${JSON.stringify(dir.path)};
    const cells = await cellHouse();
    let pid = 0;
    const files = createCellFiles({
      spawn() {
        const process = cells.start({ workspace });
        pid = process.pid;
        return process;
      },
      roots: { workspace },
      cwd: () => workspace,
    });
    await files.read("a");
    console.log(pid);
    await new Promise(() => setInterval(() => {}, 1000));
  `;
  await using programs = await tempDir({ "warden.ts": program });
  const warden = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", "--config", configPath(), programs.join("warden.ts")],
    env: { ...Deno.env.toObject(), TMPDIR: programs.path },
    clearEnv: true,
    detached: true,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = warden.stdout.getReader();
  const { value } = await output.read();
  const pid = Number(new TextDecoder().decode(value));
  ok(await isAlive(pid));
  warden.kill("SIGKILL");
  await warden.status;
  await gone([pid]);
  await output.cancel();
});

function modulePath(path: string): string {
  return JSON.stringify(import.meta.resolve(path));
}

function configPath(): string {
  return fileURLToPath(new URL("../../../deno.json", import.meta.url));
}
