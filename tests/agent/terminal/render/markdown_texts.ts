import fc from "fast-check";

/** Lines that mean something in Markdown, and that models get wrong in ever new ways. */
const LINES = [
  "",
  "",
  "word",
  "some **bold**, _em_, ~~no~~ and `code` words that go on for longer than most terminals are wide",
  "# Title",
  "### Deep `title` ###",
  "Title",
  "===",
  "---",
  "- a",
  "- [x] done",
  "- [ ] open **b**",
  "* star",
  "  - nested",
  "      more nested",
  "1. one",
  "2. two",
  "10) ten",
  "> quote",
  "> > deep",
  "> - in",
  "```",
  "```ts",
  "~~~~",
  "  ```",
  "const a = 1;\t// tab",
  "    indented",
  "\tindented by a tab",
  "| a | b |",
  "|---|:-:|",
  "| 1 | `x` \\| y |",
  "[a link](https://example.com/with/a/long/path?and=query) here",
  "[ref][1] and [1]",
  "[1]: https://example.com",
  "<div>",
  "</div>",
  "<!-- begins",
  "ends -->",
  "<b>html</b> &lt;tag&gt; &#x1b; &amp;",
  "漢字仮名交じり文と한국어도 있다",
  "👩‍💻 👍🏽 1️⃣ é e\u0301 🇩🇪",
  "**unclosed *marks `and [more](",
  "a\\*b \\` hard break  ",
  "***",
  "verylongwordwithoutanyspacesthatmustbebrokensomewhereinthemiddle",
  "\u001b[31mred\u001b[0m \u202eturned \u0007bell",
  "a\r",
];

/** Texts made of such lines, with some that are none. */
export function markdownTexts(): fc.Arbitrary<string> {
  // Among other controls a lone carriage return depends on how a text is torn.
  const binary = fc.string({ unit: "binary", maxLength: 10 })
    .map((text) => text.replaceAll("\r", ""));
  const line = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...LINES) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
    { weight: 1, arbitrary: binary },
  );
  return fc.array(line, { maxLength: 14 }).map((lines) => lines.join("\n"));
}

/** A text cut into pieces of a few characters. */
export function inPieces(text: string): fc.Arbitrary<string[]> {
  return fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }).map((sizes) => {
    const pieces: string[] = [];
    for (let at = 0, n = 0; at < text.length; n++) {
      const size = sizes[n % sizes.length] ?? 1;
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    return pieces;
  });
}
