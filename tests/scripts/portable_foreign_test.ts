import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { packPortable } from "../../scripts/compile/portable.ts";
import { builtFor } from "../../scripts/release/executable.ts";
import { ownPlatform } from "../../scripts/release/platforms.ts";
import { names, PATH, run } from "../helpers/portable_fixture.ts";
import { type TempDir, tempDir } from "../helpers/temp_dir.ts";

/** The begin of Mach-O for arm64, which nothing but such a Mac runs. */
const MACH_O = Uint8Array.from(
  { length: 64 },
  (_, at) => [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1][at] ?? 0,
);

/** A portable binary for another platform, at `cordon`. */
async function foreign(runtime: Uint8Array): Promise<TempDir> {
  const dir = await tempDir({ "runtime": runtime, "home/": "", "bin/": "" });
  await Deno.chmod(dir.join("runtime"), 0o755);
  await packPortable(
    [{ name: "program/start.js", content: new TextEncoder().encode("console.log(1)\n") }],
    { path: dir.join("runtime"), platform: "darwin aarch64" },
    dir.join("cordon"),
  );
  return dir;
}

Deno.test("packPortable() carries the Deno that it was given, for another platform too", async () => {
  await using dir = await foreign(MACH_O);
  const script =
    `tail -c "+$(sed -n 's/^cordon_offset=\\([0-9]*\\).*/\\1/p' cordon)" cordon | gzip -dc | tar -xf -`;
  const { code, stderr } = await run("sh", { args: ["-c", script], cwd: dir.path });
  strictEqual(code, 0, stderr);
  deepStrictEqual(names(dir.join("program")), ["deno", "start.js"]);
  const deno = await Deno.readFile(dir.join("program/deno"));
  deepStrictEqual([deno, builtFor(deno)], [MACH_O, "macos-arm64"]);
});

Deno.test({
  name: "a portable binary for another platform says so, and leaves nothing",
  ignore: ownPlatform()?.name === "macos-arm64",
  fn: async (t) => {
    await using dir = await foreign(MACH_O);
    const env = { HOME: dir.join("home"), TMPDIR: dir.path };
    await t.step("another one", async () => {
      const { code, stdout, stderr } = await run(dir.join("cordon"), { env });
      deepStrictEqual([code, stdout], [1, ""]);
      match(
        stderr,
        /^cordon: Cannot start ".*": it is for darwin aarch64, and this is \S+ \S+; .*\n$/,
      );
      deepStrictEqual(names(dir.join("home/.cache/cordon")), []);
    });
    await t.step("the right one, where it does not run all the same", async () => {
      const uname = '#!/bin/sh\n[ "$1" = -s ] && echo Darwin || echo arm64\n';
      await Deno.writeTextFile(dir.join("bin/uname"), uname);
      await Deno.chmod(dir.join("bin/uname"), 0o755);
      const { code, stderr } = await run(dir.join("cordon"), {
        env: { ...env, PATH: `${dir.join("bin")}:${PATH}` },
      });
      strictEqual(code, 1);
      match(stderr, /programs cannot run from it; nor into .*: programs cannot run from it; set /);
    });
  },
});
