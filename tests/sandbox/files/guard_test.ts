import { deepStrictEqual } from "node:assert/strict";
import { createGuard, type Right } from "../../../sandbox/files/guard.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";

/** A workspace with links of every kind, beside folders that it must not reach. */
async function house(): Promise<TempDir> {
  const dir = await tempDir({
    "ws/a.txt": "a",
    "ws/sub/b.txt": "b",
    "outside/secret.txt": "s",
    "session/spill.txt": "p",
    "home/notes.txt": "n",
  });
  await Deno.symlink("a.txt", dir.join("ws/in"));
  await Deno.symlink("sub", dir.join("ws/in_folder"));
  await Deno.symlink(dir.join("outside/secret.txt"), dir.join("ws/out"));
  await Deno.symlink("../outside", dir.join("ws/out_folder"));
  await Deno.symlink("sub/later.txt", dir.join("ws/dangling"));
  await Deno.symlink("../outside/later.txt", dir.join("ws/dangling_out"));
  await Deno.symlink("loop_b", dir.join("ws/loop_a"));
  await Deno.symlink("loop_a", dir.join("ws/loop_b"));
  await Deno.symlink("/proc/self/environ", dir.join("ws/environ"));
  await Deno.symlink("/dev/null", dir.join("ws/null"));
  await Deno.symlink(dir.join("ws"), dir.join("other_name"));
  return dir;
}

function guardOf(dir: TempDir, cwd = dir.join("ws")) {
  return createGuard({
    roots: { workspace: dir.join("ws"), session: dir.join("session") },
    cwd: () => cwd,
    home: dir.join("home"),
  });
}

Deno.test("a path inside the roots is resolved", async (t) => {
  await using dir = await house();
  const cases: [path: string, right: Right, real: string, shown: string][] = [
    ["a.txt", "write", "ws/a.txt", "a.txt"],
    ["./sub/../a.txt", "read", "ws/a.txt", "a.txt"],
    ["nowhere/../a.txt", "read", "ws/a.txt", "a.txt"],
    [".", "read", "ws", "."],
    ["sub/", "read", "ws/sub", "sub"],
    ["in", "write", "ws/a.txt", "in"],
    ["in_folder/b.txt", "write", "ws/sub/b.txt", "in_folder/b.txt"],
    ["dangling", "write", "ws/sub/later.txt", "dangling"],
    ["new/deep/file", "write", "ws/new/deep/file", "new/deep/file"],
    ["..a", "write", "ws/..a", "..a"],
    ["-rf", "write", "ws/-rf", "-rf"],
    [' a "b"\n日本語', "write", 'ws/ a "b"\n日本語', ' a "b"\n日本語'],
    ["a.txt/below", "read", "ws/a.txt/below", "a.txt/below"],
    ["n".repeat(300), "read", `ws/${"n".repeat(300)}`, "n".repeat(300)],
    ["./~/x", "write", "ws/~/x", "~/x"],
  ];
  for (const [path, right, real, shown] of cases) {
    await t.step(JSON.stringify(path).slice(0, 40), async () => {
      const absolute = dir.join("ws", shown);
      deepStrictEqual(await guardOf(dir).resolve(path, right), {
        ok: true,
        place: { given: path, shown, absolute, real: dir.join(real) },
      });
    });
  }
  await t.step("a spill file may be read", async () => {
    const path = dir.join("session/spill.txt");
    const place = { given: path, shown: path, absolute: path, real: path };
    deepStrictEqual(await guardOf(dir).resolve(path, "read"), { ok: true, place });
  });
  await t.step("relative to a shell's folder below the workspace", async () => {
    const guard = guardOf(dir, dir.join("ws/sub"));
    deepStrictEqual(await guard.resolve("../a.txt", "read"), {
      ok: true,
      place: {
        given: "../a.txt",
        shown: dir.join("ws/a.txt"),
        absolute: dir.join("ws/a.txt"),
        real: dir.join("ws/a.txt"),
      },
    });
  });
  await t.step("a workspace that is named through a link", async () => {
    const workspace = dir.join("other_name");
    const guard = createGuard({ roots: { workspace }, cwd: () => workspace });
    deepStrictEqual(await guard.resolve(`${workspace}/a.txt`, "write"), {
      ok: true,
      place: {
        given: `${workspace}/a.txt`,
        shown: "a.txt",
        absolute: dir.join("ws/a.txt"),
        real: dir.join("ws/a.txt"),
      },
    });
  });
});

Deno.test("a path outside the roots is denied", async (t) => {
  await using dir = await house();
  const cases: [path: string, real: string][] = [
    ["../outside/secret.txt", dir.join("outside/secret.txt")],
    ["sub/../../outside", dir.join("outside")],
    [dir.join("outside/secret.txt"), dir.join("outside/secret.txt")],
    ["out", dir.join("outside/secret.txt")],
    ["out_folder/secret.txt", dir.join("outside/secret.txt")],
    ["out_folder/new/file", dir.join("outside/new/file")],
    ["dangling_out", dir.join("outside/later.txt")],
    [dir.join("ws2"), dir.join("ws2")],
    ["null", "/dev/null"],
    ["/etc/passwd", "/etc/passwd"],
    ["/", "/"],
    ["~/notes.txt", dir.join("home/notes.txt")],
    ["~", dir.join("home")],
  ];
  for (const [path, real] of cases) {
    for (const right of ["read", "write"] as const) {
      await t.step(`${right} ${path}`, async () => {
        deepStrictEqual(await guardOf(dir).resolve(path, right), {
          ok: false,
          reason: "denied",
          path,
          message: `path traversal: ${path} resolves to ${real}, outside the workspace`,
        });
      });
    }
  }
  for (const path of ["/proc/self/cwd", `/proc/self/root${dir.join("ws/a.txt")}`, "environ"]) {
    await t.step(`through /proc: ${path}`, async () => {
      const answer = await guardOf(dir).resolve(path, "read");
      deepStrictEqual(answer.ok ? "ok" : answer.reason, "denied");
    });
  }
  await t.step("a root of everything leaves the kernel's trees out", async () => {
    const guard = createGuard({
      roots: { workspace: dir.join("ws"), extraRead: ["/"] },
      cwd: () => dir.join("ws"),
    });
    const reasons = [];
    for (const path of [dir.join("outside/secret.txt"), "/proc/1/environ", "/dev/zero", "/sys"]) {
      const answer = await guard.resolve(path, "read");
      reasons.push(answer.ok ? "ok" : answer.reason);
    }
    deepStrictEqual(reasons, ["ok", "denied", "denied", "denied"]);
  });
});

Deno.test("extra folders open what they name, for reading or for both", async () => {
  await using dir = await house();
  const answers: Record<string, string[]> = {};
  for (const kind of ["extraRead", "extraWrite"] as const) {
    const guard = createGuard({
      roots: {
        workspace: dir.join("ws"),
        session: dir.join("session"),
        [kind]: [dir.join("outside")],
      },
      cwd: () => dir.join("ws"),
    });
    const read = await guard.resolve("out", "read");
    const write = await guard.resolve("out", "write");
    answers[kind] = [read, write].map((answer) => answer.ok ? "ok" : answer.message);
  }
  const real = dir.join("outside/secret.txt");
  deepStrictEqual(answers, {
    extraRead: ["ok", `out resolves to ${real}, where this process may only read`],
    extraWrite: ["ok", "ok"],
  });
});

Deno.test("what is no path is refused", async (t) => {
  await using dir = await house();
  const cases: [path: string, message: string][] = [
    ["", "the path is empty: give a name"],
    ["a\0b", 'the path "a\\u0000b" contains a NUL character: no file has such a name'],
    ["loop_a", "loop_a is a link that leads in a circle"],
  ];
  for (const [path, message] of cases) {
    await t.step(JSON.stringify(path), async () => {
      const refusal = { ok: false, reason: "not_a_file", path, message };
      deepStrictEqual(await guardOf(dir).resolve(path, "read"), refusal);
    });
  }
  await t.step("~ without a known home", async () => {
    const guard = createGuard({ roots: { workspace: dir.join("ws") }, cwd: () => dir.join("ws") });
    const answer = await guard.resolve("~/x", "write");
    deepStrictEqual(answer.ok ? "ok" : answer.reason, "denied");
  });
});
