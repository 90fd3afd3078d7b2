import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  CONFIGURATION_PAGE,
  configurationPage,
  EXAMPLE,
} from "../../scripts/configuration_page.ts";
import { readConfig } from "../../agent/config/read_config.ts";
import { configSchema } from "../../agent/config/schema.ts";

Deno.test("docs/configuration.md is what the schema says (else run scripts/configuration_page.ts)", async () => {
  strictEqual(await Deno.readTextFile(CONFIGURATION_PAGE), configurationPage());
});

Deno.test("docs/configuration.md tells each key once, with a meaning", () => {
  const rows = configurationPage().split("\n## What a project")[0]?.split("\n") ?? [];
  for (const key of Object.keys(configSchema.shape)) {
    const told = rows.filter((row) => row.startsWith(`| \`${key}\` `));
    strictEqual(told.length, 1, key);
    strictEqual((told[0]?.split(" | ").at(-1) ?? "").length > 10, true, told[0]);
  }
});

Deno.test("the example of docs/configuration.md can be read", () => {
  const { config, warnings } = readConfig("example", EXAMPLE);
  deepStrictEqual([warnings, config.providers?.work?.env_key], [[], "WORK_API_KEY"]);
});
