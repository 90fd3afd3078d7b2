import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { readFrontMatter } from "../../agent/front_matter.ts";

Deno.test("readFrontMatter() reads facts and body", async (t) => {
  const cases: [name: string, text: string, facts: Record<string, unknown>, body: string][] = [
    ["a mapping", "---\na: 1\nb: [x, y]\n---\nBody\n", { a: 1, b: ["x", "y"] }, "Body\n"],
    ["none", "Body\n---\nmore", {}, "Body\n---\nmore"],
    ["a byte order mark", "\uFEFF---\na: b\n---\nBody", { a: "b" }, "Body"],
    ["a byte order mark without facts", "\uFEFFBody", {}, "Body"],
    ["CRLF", "---\r\na: b\r\nc: d\r\n---\r\nBody\r\n", { a: "b", c: "d" }, "Body\r\n"],
    ["an empty mapping", "---\n---\nBody", {}, "Body"],
    ["comments alone", "---\n# nothing\n\n---\nBody", {}, "Body"],
    ["no body", "---\na: b\n---", { a: "b" }, ""],
    ["three dots end it", "---\na: b\n...\nBody", { a: "b" }, "Body"],
    [
      "a colon in a value",
      "---\na: Use: it, often\nb: c\n---\n",
      { a: "Use: it, often", b: "c" },
      "",
    ],
    ["a colon and quotes", '---\na: it\'s: "so"\n---\n', { a: `it's: "so"` }, ""],
    ["a rule that is no fence", "----\na: b\n----\n", {}, "----\na: b\n----\n"],
    [
      "dates and yes stay text",
      "---\na: 2026-01-02\nb: yes\n---\n",
      { a: "2026-01-02", b: "yes" },
      "",
    ],
  ];
  for (const [name, text, facts, body] of cases) {
    await t.step(name, async () => deepStrictEqual(await readFrontMatter(text), { facts, body }));
  }
});

Deno.test("readFrontMatter() tells what is wrong, and where, and keeps the body", async (t) => {
  const cases: [name: string, text: string, line: number, body: string][] = [
    ["a list that is not closed", "---\nok: 1\nx: [1\n---\nBody", 4, "Body"],
    ["the same key twice", "---\na: 1\na: 2\n---\nBody", 3, "Body"],
    ["a list", "---\n- a\n---\nBody", 2, "Body"],
    ["a function", "---\na: !!js/function 'x'\n---\nBody", 2, "Body"],
    ["no end", "---\na: 1\nBody", 1, "---\na: 1\nBody"],
    ["too much", `---\na: ${"x".repeat(70_000)}\n---\nBody`, 2, "Body"],
  ];
  for (const [name, text, line, body] of cases) {
    await t.step(name, async () => {
      const read = await readFrontMatter(text);
      deepStrictEqual([read.facts, read.body, read.problem?.line], [{}, body, line]);
      ok(read.problem?.message);
    });
  }
});

Deno.test("readFrontMatter() never throws, and never loses a body", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.string(), async (yaml, body) => {
      const fenced = yaml.replace(/^(---|\.\.\.)/gm, "x");
      const read = await readFrontMatter(`---\n${fenced}\n---\n${body}`);
      strictEqual(read.body, body);
    }),
  );
});
