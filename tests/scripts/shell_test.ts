import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { missingPrograms, PROGRAMS } from "../../scripts/setup.ts";
import { ROOT } from "../../scripts/compile/contents.ts";

const SHELL_FILES = [
  ".ci/run",
  "docs/scale/slurm_array.sh",
  "scripts/compile/portable_head.sh",
  "scripts/release/npm_launcher.sh",
  ...["install", "report", "run", "task"].map((step) => `scripts/action/${step}.sh`),
];

const missing = missingPrograms(
  PROGRAMS.filter(({ name }) => name === "shellcheck"),
  Deno.env.get("PATH") ?? "",
);

Deno.test({
  name: "shellcheck has nothing to say of our shell scripts (needs shellcheck)",
  ignore: missing.length > 0,
  fn: async () => {
    const { code, stdout } = await new Deno.Command("shellcheck", {
      args: SHELL_FILES,
      cwd: ROOT,
    }).output();
    deepStrictEqual([code, new TextDecoder().decode(stdout)], [0, ""]);
  },
});

Deno.test("the portable head is read by a plain POSIX shell", async () => {
  const { success } = await new Deno.Command("sh", {
    args: ["-n", "scripts/compile/portable_head.sh"],
    cwd: ROOT,
  }).output();
  strictEqual(success, true);
});
