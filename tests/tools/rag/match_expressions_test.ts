import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { DatabaseSync } from "node:sqlite";
import { makeTables } from "../../../agent/retrieval/schema.ts";
import { allOf, anyOf, matchExpressions, quoted } from "../../../tools/rag/match_expressions.ts";

Deno.test("matchExpressions()", async (t) => {
  const cases: [name: string, query: string, all: string[], any?: string[]][] = [
    ["words", "one two one", ['"one"', '"two"']],
    ["a phrase", 'say "not found" here', ['"say"', '"not found"', '"here"']],
    ["a quote that stays open", 'an "open end', ['"an"', '"open"', '"end"']],
    ["operators are words", "a AND NOT b* ^c {d}:e", [
      ...['"a"', '"AND"', '"NOT"', '"b"', '"c"', '"d"', '"e"'],
    ]],
    ["an identifier also by its parts", "parseHtml", ['("parseHtml" OR "parse html")']],
    ["two Han characters", "检索", ['parts : "检索"']],
    ["one Han character begins a pair", "检", ['parts : "检" *']],
    ["a long run as a whole, or any pair", "全文检索引", ['parts : "全文 文检 检索 索引"'], [
      ...['parts : "全文"', 'parts : "文检"', 'parts : "检索"', 'parts : "索引"'],
    ]],
    ["nothing to find", "?! --", [], []],
  ];
  for (const [name, query, all, any = all] of cases) {
    await t.step(name, () => {
      const { fragments: _, ...found } = matchExpressions(query);
      deepStrictEqual(found, { all, any });
    });
  }
});

Deno.test("no query is an error to SQLite", () => {
  using database = new DatabaseSync(":memory:");
  makeTables(database);
  const ask = database.prepare("SELECT rowid FROM texts WHERE texts MATCH ?");
  const signs = fc.constantFrom(
    ..."\"'*^:(){}+-,;%\\\0",
    "NEAR(",
    " AND ",
    " OR ",
    " NOT ",
    "parts:",
  );
  const text = fc.array(fc.oneof(signs, fc.string({ unit: "binary" }), fc.string()), {
    maxLength: 30,
  }).map((parts) => parts.join(""));
  fc.assert(fc.property(text, (query) => {
    const { all, any, fragments } = matchExpressions(query);
    for (const expression of [...all, ...any, allOf(all), anyOf(any), ...fragments.map(quoted)]) {
      ask.all(expression);
    }
  }));
});
