import { deepStrictEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { parseCommandLine } from "../agent/command_line/parse.ts";
import { readConfig } from "../agent/config/read_config.ts";
import { EXIT } from "../agent/exit_code.ts";
import { builtinTools } from "../tools/mod.ts";

const README = await Deno.readTextFile(fileURLToPath(new URL("../README.md", import.meta.url)));
const PROJECT: { tasks: Record<string, string> } = JSON.parse(
  await Deno.readTextFile(fileURLToPath(new URL("../deno.json", import.meta.url))),
);

/** The lines of all code blocks in a language. */
function blocks(language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...README.matchAll(pattern)].map((match) => match[1] ?? "");
}

const COMMANDS = blocks("sh").flatMap((block) => block.split("\n")).filter((line) => line !== "");

/** Words as a shell would pass them; the README quotes with double quotes alone. */
function words(line: string): string[] {
  const found = line.replace(/\s#.*$/, "").matchAll(/"([^"]*)"|(\S+)/g);
  return [...found].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

Deno.test("README: every task that it names is one", () => {
  const named = [...README.matchAll(/\b(?:deno@[\d.]+|deno) task (\w+)/g)].map(([, name]) =>
    name ?? ""
  );
  ok(named.includes("demo") && named.includes("test"));
  deepStrictEqual(named.filter((name) => !(name in PROJECT.tasks)), []);
});

Deno.test("README: every command line of ours is understood", async (t) => {
  const lines = COMMANDS.filter((line) => line.startsWith("cordon "));
  ok(lines.length >= 5);
  for (const line of lines) {
    await t.step(line, () => void parseCommandLine(words(line).slice(1)));
  }
  for (const line of COMMANDS.filter((line) => line.includes(" main.ts"))) {
    await t.step(
      line,
      () => void parseCommandLine(words(line.replace(/^.* main\.ts/, "x")).slice(1)),
    );
  }
});

Deno.test("README: every sub-command and option in its text exists", () => {
  const inline = [...README.matchAll(/`cordon ([^`]+)`/g)].map(([, text]) => text ?? "");
  ok(inline.length >= 10);
  for (const text of inline) {
    // Placeholders stand for values, and bars for a choice.
    parseCommandLine(
      words(text.replaceAll(/\[|\]/g, "").replace(/\|\w+/g, "").replace(/^-r PART$/, "-r=x")),
    );
  }
});

Deno.test("README: its configuration file is read without a warning", () => {
  for (const block of blocks("jsonc")) deepStrictEqual(readConfig("README", block).warnings, []);
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
