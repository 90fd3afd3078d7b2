import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import {
  CHILD_ARGUMENT,
  childCommand,
  childEnvironment,
  ownProgram,
} from "../../../agent/children/program.ts";

const RIGHTS = { flags: ["--allow-read=/state"], wholeEnvironment: false };
const BUNDLE = {
  form: "bundle",
  executable: "/cache/hash/program/deno",
  main: "/cache/hash/program/main.js",
} as const;

Deno.test("childCommand() starts each form again with the rights that it is given", async (t) => {
  await t.step("compiled", () => {
    const argv = childCommand({ form: "compiled", executable: "/bin/cordon" }, RIGHTS);
    deepStrictEqual(argv, ["/bin/cordon", CHILD_ARGUMENT]);
  });
  for (const program of [BUNDLE, { ...BUNDLE, form: "source" } as const]) {
    await t.step(program.form, () => {
      const argv = childCommand(program, RIGHTS);
      deepStrictEqual(argv.slice(-2), [program.main, CHILD_ARGUMENT]);
      ok(argv.includes("--allow-read=/state") && argv.includes("--no-prompt"));
      strictEqual(argv.some((word) => /^(-A|--allow-all)$/.test(word)), false);
    });
  }
});

Deno.test("childEnvironment() keeps a person's Deno and the program's own apart", () => {
  const variables = { HOME: "/home/me", DENO_DIR: "/home/me/deno", KEY: "k" };
  deepStrictEqual(childEnvironment(BUNDLE, { flags: [], wholeEnvironment: true }, variables), {
    HOME: "/home/me",
    KEY: "k",
    CORDON_OUTER_DENO_DIR: "/home/me/deno",
    DENO_DIR: "/cache/hash/deno_dir",
    DENO_NO_PACKAGE_JSON: "1",
    DENO_NO_UPDATE_CHECK: "1",
  });
  const compiled = { form: "compiled", executable: "/bin/cordon" } as const;
  deepStrictEqual(childEnvironment(compiled, RIGHTS, variables), variables);
});

Deno.test("ownProgram() is the program that runs", () => {
  const program = ownProgram();
  strictEqual(program.executable, Deno.execPath());
  ok(program.form === "source" && Deno.statSync(program.main).isFile);
});
