import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { selectTools } from "../../agent/toolbox.ts";
import { pageTools, TOOLS_PAGE, toolsPage } from "../../scripts/tools_page.ts";
import { DEFAULT_TOOLS } from "../../tools/mod.ts";

const NAMES = pageTools().map(({ name }) => name);

/** The names of a part's tools, in order. */
function headings(part: string): string[] {
  return [...part.matchAll(/^### (\w+)$/gm)].map(([, name]) => name ?? "");
}

Deno.test("docs/tools.md is what the tools say (else run scripts/tools_page.ts)", async () => {
  strictEqual(await Deno.readTextFile(TOOLS_PAGE), toolsPage());
});

Deno.test("docs/tools.md tells each tool once, the default set first", () => {
  const [before = "", off = ""] = toolsPage().split("\n## Off until named\n");
  deepStrictEqual(headings(before), [...DEFAULT_TOOLS]);
  deepStrictEqual([...headings(before), ...headings(off)].sort(), [...NAMES].sort());
});

Deno.test("docs/tools.md tells each parameter of each tool", async (t) => {
  for (const { name, parameters } of pageTools()) {
    const section = toolsPage().split(`\n### ${name}\n`)[1]?.split("\n### ")[0] ?? "";
    await t.step(name, () => {
      for (const parameter of Object.keys(Object(parameters.json["properties"]))) {
        ok(section.includes(`\n| \`${parameter}\` `), parameter);
      }
    });
  }
});

Deno.test("docs/tools.md: what it says to type switches on what it says", async (t) => {
  const lines = [...toolsPage().matchAll(/`--tools=(\S+)`/g)].map(([, list]) => list ?? "");
  ok(lines.length > 15);
  for (const list of lines.filter((list) => list !== "LIST")) {
    await t.step(list, () => ok(selectTools(list.split(","), NAMES, DEFAULT_TOOLS).ok));
  }
  const all = selectTools(["+subagents"], NAMES, []);
  const expected = NAMES.filter((name) => name.startsWith("subagent"));
  deepStrictEqual(all.ok && [...all.names].sort(), expected.sort());
});
