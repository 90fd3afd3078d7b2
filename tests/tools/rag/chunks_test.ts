import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { chunksOf, MAX_CHUNK } from "../../../tools/rag/chunks.ts";
import { sectionsOf, textKind } from "../../../tools/rag/structure.ts";

Deno.test("sectionsOf() by the lines of a language", async (t) => {
  const cases: [path: string, text: string, sections: string[]][] = [
    ["a.md", "# A\ntext\n## B\n```\n# no heading\n```\n# C", ["0 A", "2 A > B", "6 C"]],
    ["a.md", "~~~\n# x\n```\n~~~\n#y\n# Z #", ["5 Z"]],
    ["a.org", "* A\n** B\n* C", ["0 A", "1 A > B", "2 C"]],
    ["a.adoc", "= A\n== B", ["0 A", "1 A > B"]],
    [
      "a.ts",
      "import x;\n\n/** Doc. */\nexport async function f() {\n  const y = 1;\n}\nclass K {}",
      [
        "2 export async function f() {",
        "6 class K {}",
      ],
    ],
    ["a.py", "import os\n@deco\ndef f():\n    pass\nclass K:\n    def m(self):\n        x = 1", [
      "1 def f():",
      "4 class K:",
      "5 def m(self):",
    ]],
    ["a.go", "package a\n// F does.\nfunc F() {\n}\ntype T struct {", [
      "1 func F() {",
      "4 type T struct {",
    ]],
    ["a.rs", "#[test]\npub(crate) async fn f() {\nimpl T for U {", [
      "0 pub(crate) async fn f() {",
      "2 impl T for U {",
    ]],
    ["A.java", "class A {\n  private final int x = 1;\n  public void run(int a) {", [
      "0 class A {",
      "2 public void run(int a) {",
    ]],
    ["a.c", "#include <x.h>\nint main(int c, char **v)\n{\n  f();\n}", [
      "1 int main(int c, char **v)",
    ]],
    ["a.sh", "set -e\nmain() {\n  x\n}", ["1 main() {"]],
    ["a.sql", "-- t\nCREATE TABLE t (\n  a int)", ["0 CREATE TABLE t ("]],
    ["a.yaml", "a:\n  b: 1\nc: 2", ["0 a:", "2 c: 2"]],
    ["noext", "one\n\ntwo\n  in\n\n  no", ["0 ", "2 "]],
  ];
  for (const [path, text, sections] of cases) {
    await t.step(`${path}: ${sections[0]}`, () => {
      const found = sectionsOf(text.split("\n"), path);
      deepStrictEqual(found.map(({ line, title }) => `${line} ${title}`), sections);
    });
  }
});

Deno.test("textKind()", () => {
  const cases = {
    "src/a.ts": "code",
    "Makefile": "code",
    "docs/a.MD": "docs",
    "README": "docs",
    "license.txt": "docs",
    "a/package.json": "data",
    "x.d/y.lock": "data",
  };
  const kinds = Object.fromEntries(Object.keys(cases).map((path) => [path, textKind(path)]));
  deepStrictEqual(kinds, cases);
});

Deno.test("chunksOf() cuts along the structure", async (t) => {
  const body = (name: string, lines: number) =>
    `function ${name}() {\n${`  call(${name}, "${"x".repeat(40)}");\n`.repeat(lines)}}\n`;
  const spans = (text: string, path: string) =>
    chunksOf(text, path).map(({ first, last, title }) => `${first}-${last} ${title}`);
  await t.step("functions of some size stand alone", () => {
    deepStrictEqual(spans(body("one", 25) + body("two", 25), "a.ts"), [
      "1-27 function one() {",
      "28-55 function two() {",
    ]);
  });
  await t.step("short ones are put together, under the name of the longest", () => {
    deepStrictEqual(spans(body("one", 1) + body("two", 5), "a.ts"), ["1-11 function two() {"]);
  });
  await t.step("a long one is split, and its parts overlap", () => {
    const found = chunksOf(body("one", 100), "a.ts");
    ok(found.length > 1);
    for (const [index, { first }] of found.entries()) {
      if (index > 0) deepStrictEqual(first, (found[index - 1]?.last ?? 0) - 1);
    }
  });
  await t.step("a long part is split where it has an empty line", () => {
    const block = `${"word ".repeat(16)}\n`.repeat(9);
    deepStrictEqual(spans(`# T\n${block}\n${block}\n${block}\n${block}`, "a.md"), [
      "1-31 T",
      "30-41 T",
    ]);
  });
  await t.step("of a line of megabytes the beginning is kept", () => {
    const [chunk, ...more] = chunksOf("x".repeat(1_500_000), "a.json");
    deepStrictEqual([chunk?.text.length, more], [MAX_CHUNK, []]);
  });
  await t.step("line ends of every kind", () => {
    deepStrictEqual(chunksOf("a\r\nb\rc\nd", "a.txt").map(({ text }) => text), ["a\nb\nc\nd"]);
  });
  await t.step("nothing in, nothing out", () => {
    deepStrictEqual([chunksOf("", "a.ts"), chunksOf(" \n\n\t\n", "a.ts")], [[], []]);
  });
});

Deno.test("chunks hold every line, in order and within bounds", () => {
  const line = fc.oneof(
    fc.constantFrom("", "# H", "## H2", "function f() {", "}", "```", "def x():", "  indented"),
    fc.string({ maxLength: 300 }).map((text) => text.replace(/[\r\n]/g, "")),
  );
  const path = fc.constantFrom("a.md", "a.ts", "a.py", "a.txt", "noext");
  fc.assert(fc.property(fc.array(line, { maxLength: 200 }), path, (lines, path) => {
    const covered = new Set<number>();
    let before = 0;
    for (const { first, last, text } of chunksOf(lines.join("\n"), path)) {
      ok(first <= last && first > before, "in order");
      ok(text.length <= MAX_CHUNK + 1, `${text.length}`);
      deepStrictEqual(text, lines.slice(first - 1, last).join("\n"));
      for (let number = first; number <= last; number++) covered.add(number);
      before = first;
    }
    const lost = lines.filter((line, index) => /\S/.test(line) && !covered.has(index + 1));
    deepStrictEqual(lost, []);
  }));
});
