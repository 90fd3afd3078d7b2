import { deepStrictEqual, ok } from "node:assert/strict";
import { dirname, join, relative, resolve } from "node:path";
import { manPage } from "../agent/command_line/man_page.ts";
import { COMMANDS } from "../agent/command_line/commands.ts";
import { OPTIONS } from "../agent/command_line/options.ts";
import { parseCommandLine } from "../agent/command_line/parse.ts";
import { readConfig } from "../agent/config/read_config.ts";
import { type Page, readPage } from "./helpers/page.ts";

const ROOT = resolve(import.meta.dirname ?? ".", "..");

async function pagesIn(folder: string): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const { name } of Deno.readDir(join(ROOT, folder))) {
    const path = join(folder, name);
    if (name.endsWith(".md")) pages.push(readPage(path, await Deno.readTextFile(join(ROOT, path))));
  }
  return pages.sort((a, b) => a.name < b.name ? -1 : 1);
}

const DOCS = [...await pagesIn("docs"), ...await pagesIn("docs/scale")];
const DOCS_NAMES = new Set(DOCS.map(({ name }) => name));
const EVERY_PAGE = [...await pagesIn("."), ...DOCS, ...await pagesIn("docs/decisions")];

Deno.test("docs: every command line of ours is understood, in blocks and in prose", async (t) => {
  const all = DOCS.flatMap((page) =>
    [...page.commandLines(), ...page.inlineCommands()].map(([line, args]) =>
      [`${page.name}: ${line}`, args] as const
    )
  );
  ok(all.length >= 50);
  for (const [line, args] of all) {
    await t.step(line, () => {
      parseCommandLine(args);
      // A word that is no sub-command would be a prompt, and no page gives a prompt of one word.
      const [first = ""] = args;
      ok(!/^[a-z]+$/.test(first) || first in COMMANDS, first);
    });
  }
});

Deno.test("pages: every option that they name is one", () => {
  const pages = EVERY_PAGE.filter(({ name }) => name === "README.md" || DOCS_NAMES.has(name));
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/`--([a-z-]+[a-z])(?![a-z-]*\*)/g)].map(([, option = ""]) =>
      [name, option] as const
    )
  );
  ok(named.length > 100);
  deepStrictEqual(named.filter(([, option]) => !(option in OPTIONS)), []);
});

Deno.test("docs: configuration in them is read without a warning", () => {
  const blocks = DOCS.flatMap((page) => page.blocks("jsonc").map((text) => [page.name, text]));
  ok(blocks.length >= 4);
  for (const [name = "", text = ""] of blocks) {
    deepStrictEqual(readConfig(name, text).warnings, [], name);
  }
});

Deno.test("pages: what they link to is there", async () => {
  const broken: string[] = [];
  for (const { name, text } of EVERY_PAGE) {
    const prose = text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");
    for (const [, target = ""] of prose.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const there = await Deno.stat(join(ROOT, dirname(name), target)).then(
        () => true,
        () => false,
      );
      if (!there) broken.push(`${name}: ${target}`);
    }
  }
  deepStrictEqual(broken, []);
});

Deno.test("docs/README.md links to every page beside it", () => {
  const text = DOCS.find(({ name }) => name === "docs/README.md")?.text ?? "";
  const others = DOCS.map(({ name }) => relative("docs", name)).filter((n) => n !== "README.md");
  deepStrictEqual(others.filter((name) => !text.includes(`](${name})`)), []);
});

Deno.test("README and man page: every sub-command is named", () => {
  const readme = EVERY_PAGE.find(({ name }) => name === "README.md")?.text ?? "";
  const man = manPage("0");
  for (const name of Object.keys(COMMANDS)) {
    ok(new RegExp(`\\bcordon ${name}\\b`).test(readme), `README: ${name}`);
    ok(new RegExp(`^\\.B ${name}( |$)`, "m").test(man), `man page: ${name}`);
  }
});
