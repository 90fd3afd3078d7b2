import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { indexWorld } from "./index_world.ts";

const TREE = {
  "src/html_parser.ts": "export function parseHtml(text: string) {\n  return scan(text);\n}\n",
  "src/render.ts": "/** Draws a page. */\nexport function render_page_header() {\n  return 1;\n}\n",
  "src/retry.ts":
    "// Waits are doubled with every retry, with full jitter.\nconst retryDelayMs = 100;\n",
  "src/nodesqlite.ts": 'import { openNodesqlite } from "x";\n',
  "docs/guide.md": "# Guide\n\nIntro.\n\n## Parse HTML by hand\n\nUse the scanner for it.\n",
  "docs/搜索.md": "# 全文检索\n\n第二段说明全文检索的实现方法。\n",
  "docs/日本語.md": "# 設定\n\nテキストを検索するための設定ファイルです。\n",
  "docs/german.md": "# Größe\n\nDie Größe der Übersicht.\n",
  "notes/scanner.txt": "The quick brown fox\njumps over the lazy dog\n",
  "notes/other.txt": "The brown quick dog, lazy over fox\n",
  "data/items.json": '{"fox": 1, "render": true}\n',
  "src/ops.sql": "SELECT a AND NOT b FROM t WHERE near(x)\n",
};

Deno.test("queries find the place that answers them, the best first", async (t) => {
  await using world = await indexWorld(TREE);
  const cases: [query: string, top: string][] = [
    ["parseHtml", "src/html_parser.ts"],
    ["html_parser", "src/html_parser.ts"],
    ["render page header", "src/render.ts"],
    ["renderPageHeader", "src/render.ts"],
    ["retries", "src/retry.ts"],
    ["how are waits between retries doubled", "src/retry.ts"],
    ["delay", "src/retry.ts"],
    ["desqli", "src/nodesqlite.ts"],
    ["全文检索", "docs/搜索.md"],
    ["检索", "docs/搜索.md"],
    ["实", "docs/搜索.md"],
    ["全文检索怎么实现", "docs/搜索.md"],
    ["テキスト", "docs/日本語.md"],
    ["設定ファイル", "docs/日本語.md"],
    ["grosse größe", "docs/german.md"],
    ["ubersicht", "docs/german.md"],
    ['"quick brown fox"', "notes/scanner.txt"],
    ['"brown quick"', "notes/other.txt"],
    ["scanner.txt", "notes/scanner.txt"],
    ["a AND NOT b near(x)", "src/ops.sql"],
  ];
  for (const [query, top] of cases) {
    await t.step(query, async () => strictEqual((await world.places(query))[0], top));
  }
});

Deno.test("what no text holds is not found, and no query is an error", async (t) => {
  await using world = await indexWorld(TREE);
  const nothing = ["zzzznothing", '"brown fox quick"', "?!", '"', "  ", "检文", "😀"];
  for (const query of nothing) {
    await t.step(query, async () => {
      const { isError, text } = await world.search(query);
      deepStrictEqual({ isError, text }, { isError: false, text: "[no match]" });
    });
  }
  await t.step("queries as long as they may be", async () => {
    const many = Array.from({ length: 1_990 }, (_, n) => String.fromCodePoint(0xac00 + n)).join("");
    for (const query of [many, `"${many}"`, "word ".repeat(400), "aB_".repeat(666)]) {
      const { isError, text } = await world.search(query);
      deepStrictEqual({ isError, text }, { isError: false, text: "[no match]" });
    }
  });
  for (
    const query of ['AND OR NOT "', "a* ^b {c}: (d", "NEAR(", "parts:x", "'; DROP TABLE texts"]
  ) {
    await t.step(query, async () => strictEqual((await world.search(query)).isError, false));
  }
});

Deno.test("filters by glob and kind", async (t) => {
  await using world = await indexWorld(TREE);
  const notes = ["notes/other.txt", "notes/scanner.txt"];
  const cases: [name: string, args: Record<string, unknown>, paths: string[]][] = [
    ["all", { query: "fox" }, ["data/items.json", "notes/other.txt", "notes/scanner.txt"]],
    ["a folder's files", { query: "fox", path: "notes/**" }, notes],
    ["a folder", { query: "fox", path: "notes" }, notes],
    ["a folder with a slash", { query: "fox", path: "./notes/" }, notes],
    ["an absolute folder", { query: "fox", path: world.join("notes") }, notes],
    ["a file", { query: "fox", path: "notes/other.txt" }, ["notes/other.txt"]],
    ["half a folder's name", { query: "fox", path: "note" }, []],
    ["the workspace", { query: "render", path: ".", kind: "code" }, ["src/render.ts"]],
    ["a name", { query: "fox", path: "*.json" }, ["data/items.json"]],
    ["data", { query: "fox", kind: "data" }, ["data/items.json"]],
    ["docs", { query: "fox", kind: "docs" }, ["notes/other.txt", "notes/scanner.txt"]],
    ["code", { query: "render", kind: "code" }, ["src/render.ts"]],
    ["nothing there", { query: "fox", path: "src/**" }, []],
  ];
  for (const [name, args, paths] of cases) {
    await t.step(name, async () => deepStrictEqual((await world.places(args)).sort(), paths));
  }
  await t.step("what no file can be is told apart from no match", async () => {
    const nowhere = await world.search({ query: "fox", path: "lib" });
    strictEqual(nowhere.text, "[no match]\n\n[no file in the index is of that path and kind]");
    strictEqual((await world.search({ query: "fox", path: "src" })).text, "[no match]");
  });
});

Deno.test("an answer says where, how well and what, within its budget", async (t) => {
  const long = Array.from({ length: 60 }, (_, n) => `  // line ${n + 2}`);
  long[40] = "  const wantedThing = 1;";
  await using world = await indexWorld({
    "a.ts": `function far() {\n${long.join("\n")}\n}\n`,
    "many.md": Array.from({ length: 12 }, (_, n) => `# Part ${n}\n\n${"beta ".repeat(40)}\n`).join(
      "\n",
    ),
    ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`b${n}.md`, `# B${n}\n\nbeta\n`])),
  });
  await t.step("the lines around the words, numbered", async () => {
    const { value, text } = await world.search("wantedThing");
    const [hit] = value.hits as { first: number; last: number; text: string }[];
    ok(hit && hit.first <= 42 && hit.last >= 42 && hit.last - hit.first < 14);
    match(text, /^a\.ts:\d+-\d+ \(1\.00\) function far\(\) \{\n/);
    match(text, /\n {4}42\t {2}const wantedThing = 1;\n/);
  });
  await t.step("of one file no more than three places", async () => {
    const places = await world.places({ query: "beta", max_results: 30 });
    strictEqual(places.filter((path) => path === "many.md").length, 3);
    strictEqual(new Set(places).size, 10);
  });
  await t.step("what the budget leaves out is said", async () => {
    const { value, text } = await world.search({ query: "beta", max_results: 30, max_tokens: 200 });
    const { left_out, hits } = value as { left_out: number; hits: unknown[] };
    ok(left_out > 0 && hits.length > 0 && text.length < 1_200);
    ok(text.endsWith(`[${left_out} more found: raise max_tokens, or narrow by path]`));
  });
});
