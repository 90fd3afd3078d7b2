import { deepStrictEqual, throws } from "node:assert/strict";
import { readConfig } from "../../../agent/config/read_config.ts";

Deno.test("readConfig() takes a file that sets nothing", async (t) => {
  for (const text of ["", "\n", "\uFEFF", '// "model": "x",\n', "/* later */", "{}"]) {
    await t.step(JSON.stringify(text), () => {
      deepStrictEqual(readConfig("c.jsonc", text), { config: {}, warnings: [] });
    });
  }
});

Deno.test("readConfig() takes no file that is no object", async (t) => {
  for (const text of ["null", "[]", "{", '"model"', '// x\n"model": "x"']) {
    await t.step(JSON.stringify(text), () => {
      throws(() => readConfig("c.jsonc", text), { name: "ConfigurationError" });
    });
  }
});
