import { deepStrictEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { parseCommandLine } from "../agent/command_line/parse.ts";
import { readConfig } from "../agent/config/read_config.ts";
import { EXIT } from "../agent/exit_code.ts";
import { builtinTools } from "../tools/mod.ts";
import { readPage } from "./helpers/page.ts";

const README = await Deno.readTextFile(fileURLToPath(new URL("../README.md", import.meta.url)));
const PAGE = readPage("README.md", README);
const PROJECT: { tasks: Record<string, string> } = JSON.parse(
  await Deno.readTextFile(fileURLToPath(new URL("../deno.json", import.meta.url))),
);

Deno.test("README: every task that it names is one", () => {
  const named = [...README.matchAll(/\b(?:deno@[\d.]+|deno) task (\w+)/g)].map(([, name]) =>
    name ?? ""
  );
  ok(named.includes("demo") && named.includes("test"));
  deepStrictEqual(named.filter((name) => !(name in PROJECT.tasks)), []);
});

Deno.test("README: every command line of ours is understood", async (t) => {
  const lines = PAGE.commandLines();
  ok(lines.length >= 5);
  for (const [line, args] of lines) await t.step(line, () => void parseCommandLine(args));
});

Deno.test("README: every sub-command and option in its text exists", () => {
  const inline = PAGE.inlineCommands();
  ok(inline.length >= 10);
  for (const [, args] of inline) parseCommandLine(args);
});

Deno.test("README: its configuration file is read without a warning", () => {
  for (const block of PAGE.blocks("jsonc")) {
    deepStrictEqual(readConfig("README", block).warnings, []);
  }
});

Deno.test("README: its table of exit codes is that of the program", () => {
  const section = README.slice(README.indexOf("Exit codes:"));
  const published = [...section.matchAll(/^\|\s*([\d, ]+)\s*\|/gm)].flatMap(([, codes = ""]) =>
    codes.split(",").map(Number)
  );
  deepStrictEqual(published.sort((a, b) => a - b), Object.values(EXIT).sort((a, b) => a - b));
});

Deno.test("README: tools that its tables name exist", () => {
  const known = builtinTools({ bashTimeoutMs: undefined }).map(({ name }) => name);
  const rows = README.split("\n").filter((line) => /^\| (and )?`--allow/.test(line));
  ok(rows.length >= 4);
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ""));
  deepStrictEqual(named.filter((name) => !known.includes(name)), []);
});
