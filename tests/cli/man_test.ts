import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { COMMANDS } from "../../agent/command_line/commands.ts";
import { manPage } from "../../agent/command_line/man_page.ts";
import { OPTIONS } from "../../agent/command_line/options.ts";
import { VERSION } from "../../agent/version.ts";
import { missingPrograms, PROGRAMS } from "../../scripts/setup.ts";
import { newWorld } from "../helpers/cordon.ts";
import { run } from "../helpers/portable_fixture.ts";
import { tempDir } from "../helpers/temp_dir.ts";

const missing = missingPrograms(
  PROGRAMS.filter(({ name }) => name === "mandoc"),
  Deno.env.get("PATH") ?? "",
);

Deno.test("cordon completion man prints the page of this version", async () => {
  await using world = await newWorld();
  const { code, stdout, stderr } = await world.run(["completion", "man"]);
  deepStrictEqual([code, stdout, stderr], [0, manPage(VERSION), ""]);
  ok(stdout.startsWith(`.TH CORDON 1 "" "cordon ${VERSION}" `));
});

Deno.test({
  name: "mandoc has nothing to mend in the man page, and shows all of it (needs mandoc)",
  ignore: missing.length > 0,
  fn: async (t) => {
    await using dir = await tempDir({ "cordon.1": manPage("1.2.3") });
    const mandoc = async (...args: string[]) => {
      const { stdout, stderr } = await run("mandoc", { args, cwd: dir.path });
      return stdout + stderr;
    };
    await t.step("lint", async () => {
      // No date, since the same source makes the same page on every day.
      strictEqual(
        await mandoc("-Tlint", "-W", "warning", "cordon.1"),
        'mandoc: cordon.1:1:14: WARNING: missing date, using "": TH\n',
      );
    });
    await t.step("shown", async () => {
      const shown = await mandoc("-Tascii", "-O", "width=200", "cordon.1");
      // deno-lint-ignore no-control-regex -- bold is a letter, a backspace and the letter again
      const text = shown.replaceAll(/.\x08/g, "").replaceAll(/\s+/g, " ");
      for (const name of Object.keys(OPTIONS)) ok(text.includes(`--${name}`), name);
      for (const { help } of Object.values(COMMANDS)) ok(text.includes(help), help);
    });
  },
});
