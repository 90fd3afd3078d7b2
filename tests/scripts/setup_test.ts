import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { installCommand, missingPrograms, type Program, PROGRAMS } from "../../scripts/setup.ts";
import { ROOT } from "../../scripts/compile/contents.ts";
import { tempDir } from "../helpers/temp_dir.ts";

const one: Program = { name: "one", debianPackage: "first", usedBy: "x" };
const two: Program = { name: "two", debianPackage: "second", usedBy: "y" };
const also: Program = { name: "also", debianPackage: "first", usedBy: "z" };

Deno.test("missingPrograms()", async (t) => {
  await using dir = await tempDir({
    "a/one": "#!/bin/sh\n",
    "b/two": "#!/bin/sh\n",
    "c/one/": "",
    "d/one": "no program",
  });
  await Deno.chmod(dir.join("a/one"), 0o755);
  await Deno.chmod(dir.join("b/two"), 0o755);
  const cases: [name: string, folders: string[], missing: Program[]][] = [
    ["finds programs in any folder", ["a", "b"], []],
    ["misses what no folder has", ["a"], [two]],
    ["takes a folder for no program", ["c", "b"], [one]],
    ["takes a file that cannot run for no program", ["d", "b"], [one]],
    ["passes by folders that are not there, and files", ["none", "a/one", "a", "b"], []],
    ["misses all on an empty path", [], [one, two]],
  ];
  await t.step("looks for what is no program in its place", () => {
    const there: Program = { ...one, place: dir.join("a") };
    const absent: Program = { ...two, place: dir.join("b/two") };
    deepStrictEqual(missingPrograms([there, absent], dir.join("b")), [absent]);
  });
  for (const [name, folders, missing] of cases) {
    await t.step(name, () => {
      const path = folders.map((folder) => dir.join(folder)).join(":");
      deepStrictEqual(missingPrograms([one, two], path), missing);
    });
  }
});

Deno.test("installCommand() names each package once", () => {
  strictEqual(
    installCommand([one, two, also]),
    "apt-get install -y --no-install-recommends first second",
  );
});

Deno.test("PROGRAMS names each program once", () => {
  const names = PROGRAMS.map(({ name }) => name);
  deepStrictEqual(names, [...new Set(names)].sort());
});

/** What this machine lacks and no folder of a test can stand in for. */
const lacking = missingPrograms(PROGRAMS.filter(({ place }) => place !== undefined), "");

Deno.test({
  name:
    "setup.ts is quiet with all there, and else names what is missing and goes on (needs all that is not on PATH)",
  ignore: lacking.length > 0,
  fn: namesWhatIsMissing,
});

async function namesWhatIsMissing(t: Deno.TestContext): Promise<void> {
  await using dir = await tempDir({ "bin/": "" });
  for (const { name } of PROGRAMS) {
    await Deno.writeTextFile(dir.join("bin", name), "#!/bin/sh\n", { mode: 0o755 });
  }
  await t.step("all there", async () => {
    deepStrictEqual(await runSetup(dir.join("bin"), []), { code: 0, stderr: "" });
  });
  await t.step("one missing", async () => {
    await Deno.remove(dir.join("bin/rg"));
    const { code, stderr } = await runSetup(dir.join("bin"), ["--no-install"]);
    strictEqual(code, 0);
    match(
      stderr,
      /^setup: missing rg \(tests of grep\); install with: apt-get install .*ripgrep\n$/,
    );
    ok(!stderr.includes("bwrap"));
  });
}

async function runSetup(path: string, args: string[]): Promise<{ code: number; stderr: string }> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${ROOT}scripts/setup.ts`, ...args],
    clearEnv: true,
    env: { PATH: path, HOME: path, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}
