import { deepStrictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { tempDir } from "../../helpers/temp_dir.ts";

const PROGRAM = fileURLToPath(new URL("./classify_line.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

Deno.test("the classifier loads without any permission, from source", async () => {
  const run = await deno(["run", "--no-prompt", "--cached-only", "--frozen", PROGRAM, "ls; pwd"]);
  deepStrictEqual(run, { code: 0, stdout: "allow\n", stderr: "" });
});

Deno.test("the classifier loads without any permission, bundled", async () => {
  await using dir = await tempDir({});
  const bundled = dir.join("program.js");
  const bundle = await deno(["bundle", "--quiet", "--output", bundled, PROGRAM]);
  deepStrictEqual(bundle.code, 0, bundle.stderr);
  const line = [
    "run",
    "--no-prompt",
    "--no-config",
    "--no-npm",
    "--no-remote",
    bundled,
    "rm -rf /",
  ];
  deepStrictEqual(await deno(line), { code: 0, stdout: "deny\n", stderr: "" });
});

/** Runs this Deno with the cache of this process and nothing else of its environment. */
async function deno(args: readonly string[]) {
  const kept = ["DENO_DIR", "HOME", "PATH", "XDG_CACHE_HOME"];
  const env = Object.fromEntries(kept.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    clearEnv: true,
    env: { ...env, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  const { code, stdout, stderr } = await child.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}
