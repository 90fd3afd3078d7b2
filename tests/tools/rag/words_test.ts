import { deepStrictEqual } from "node:assert/strict";
import { identifierParts, termsOf, WordExtractor } from "../../../tools/rag/words.ts";

Deno.test("identifierParts()", async (t) => {
  const cases: [word: string, parts: string[]][] = [
    ["plain", ["plain"]],
    ["parseHtml", ["parse", "html"]],
    ["parseHTMLPage2", ["parse", "html", "page", "2"]],
    ["snake_case_name", ["snake", "case", "name"]],
    ["SCREAMING_CASE", ["screaming", "case"]],
    ["__init__", ["init"]],
    ["_", []],
    ["utf8Decoder", ["utf", "8", "decoder"]],
  ];
  for (const [word, parts] of cases) {
    await t.step(word, () => deepStrictEqual(identifierParts(word), parts));
  }
});

Deno.test("WordExtractor takes out what plain words do not find", async (t) => {
  const cases: [name: string, text: string, parts: string, vocabulary: string[]][] = [
    ["plain words have no parts", "one three, seven", "", ["three", "seven"]],
    ["identifiers in their order, each once", "getUser(get_user, getUser)", "get user get user", [
      "getuser",
      "get_user",
    ]],
    ["acronyms", "HTMLDiv XMLHttp ABC", "html div xml http", ["htmldiv", "xmlhttp"]],
    ["pairs of Han, the last one alone", "全文检索", "全文 文检 检索 索", []],
    ["one Han character", "a 一 b", "一", []],
    ["kana and Han together", "テキストを検索", "テキ キス スト トを を検 検索 索", []],
    ["accents are SQLite's business", "Größe niño", "", []],
    ["numbers are no vocabulary", "12345 0xdeadbeef", "", []],
    ["what is too long is data", `x${"aB".repeat(40)}`, "", []],
  ];
  for (const [name, text, parts, vocabulary] of cases) {
    await t.step(name, () => {
      deepStrictEqual(new WordExtractor().extract(text), { parts, vocabulary });
    });
  }
  await t.step("a word is new once, until all is forgotten", () => {
    const extractor = new WordExtractor();
    const seen = () => extractor.extract("sameName").vocabulary;
    deepStrictEqual([seen(), seen()], [["samename"], []]);
    extractor.forget();
    deepStrictEqual(seen(), ["samename"]);
  });
});

Deno.test("termsOf()", async (t) => {
  const cases: [query: string, terms: string[]][] = [
    ["two words", ["word two", "word words"]],
    ["a_b-c.d()", ["word a_b", "word c", "word d"]],
    ["NEAR(x* AND NOT y)", ["word NEAR", "word x", "word AND", "word NOT", "word y"]],
    ["查找function定义", ["unspaced 查找", "word function", "unspaced 定义"]],
    ["naïve e\u0301te", ["word naïve", "word e\u0301te"]],
    ["?!… 😀", []],
    ["\ud800x", ["word x"]],
  ];
  for (const [query, terms] of cases) {
    await t.step(query, () => {
      deepStrictEqual(termsOf(query).map(({ kind, text }) => `${kind} ${text}`), terms);
    });
  }
});
