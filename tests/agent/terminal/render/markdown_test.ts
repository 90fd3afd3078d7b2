import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { linesOf } from "../../../../agent/terminal/render/blocks.ts";
import { columnsOf } from "../../../../agent/terminal/render/columns.ts";
import { loadHighlight } from "../../../../agent/terminal/render/highlight.ts";
import { renderMarkdown } from "../../../../agent/terminal/render/markdown.ts";
import { MIN_WIDTH } from "../../../../agent/terminal/render/view.ts";
import type { Style } from "../../../../agent/terminal/style.ts";
import { markdownTexts } from "./markdown_texts.ts";
import { acts, ascii, colored, linking, plain, unmarked } from "./styles.ts";

Deno.test("renderMarkdown()", async (t) => {
  const cases: [name: string, source: string, width: number, style: Style, want: string[]][] = [
    ["nothing is no line", "", 40, plain, []],
    ["empty lines are nothing", "\n\n \n", 40, plain, []],
    ["a paragraph is wrapped at spaces", "one two three four five six", 20, plain, [
      "one two three four",
      "five six",
    ]],
    ["line breaks of an answer are meant", "Name: x\nAge: y", 40, plain, ["Name: x", "Age: y"]],
    ["words that are too long are broken", "aaaaaaaaaaaaaaaaaaaaaaaaa b", 20, plain, [
      "aaaaaaaaaaaaaaaaaaaa",
      "aaaaa b",
    ]],
    ["wide characters count twice", "漢字仮名交じり文がここにあります", 20, plain, [
      "漢字仮名交じり文がこ",
      "こにあります",
    ]],
    ["joined emoji are one character", "👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻", 10, plain, [
      "👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻",
      "👩‍💻",
    ]],
    ["a link says where it leads", "See [docs](https://a.b/c), <https://a.b>", 80, plain, [
      "See docs (https://a.b/c), https://a.b",
    ]],
    ["a link is one where the terminal follows it", "[docs](https://a.b)", 80, linking, [
      "\x1b]8;;https://a.b\x1b\\\x1b[4mdocs\x1b[24m\x1b]8;;\x1b\\ " +
      "\x1b[2m\x1b]8;;https://a.b\x1b\\\x1b[4m(https://a.b)\x1b[24m\x1b]8;;\x1b\\\x1b[22m",
    ]],
    ["only addresses of the web are followed", "[x](javascript:alert(1))", 80, linking, [
      "\x1b[4mx\x1b[24m \x1b[2m\x1b[4m(javascript:alert(1))\x1b[24m\x1b[22m",
    ]],
    ["images and links without words", "![pic](a.png) [](https://u)", 80, plain, [
      "pic (a.png) (https://u)",
    ]],
    ["definitions of links stay text", "[ref][1]\n\n[1]: https://x.y", 40, plain, [
      "[ref][1]",
      "",
      "[1]: https://x.y",
    ]],
    [
      "lists, nested, numbered, of tasks",
      "- a\n  1. one\n     - deep\n- [x] b\n- [ ] c",
      40,
      plain,
      [
        "• a",
        "  1. one",
        "     • deep",
        "• [x] b",
        "• [ ] c",
      ],
    ],
    ["items hang behind their mark", "- [ ] one two three four five", 20, plain, [
      "• [ ] one two three",
      "  four five",
    ]],
    ["numbers are aligned", "9. nine\n10. ten", 40, plain, [" 9. nine", "10. ten"]],
    ["a loose list has empty lines", "1. a\n\n2. b\n\n   c", 40, plain, [
      "1. a",
      "",
      "2. b",
      "",
      "   c",
    ]],
    ["an item of tasks in a loose list", "- [ ] a\n\n- [x] b", 40, plain, [
      "• [ ] a",
      "",
      "• [x] b",
    ]],
    [
      "deep lists give up their indent before their text",
      "- a\n  - b\n    - c\n      - d",
      14,
      plain,
      [
        "• a",
        "  • b",
        "    •",
        "    c",
        "    •",
        "    d",
      ],
    ],
    ["quotes, also in quotes", "> a quote that is long\n> > inner", 20, plain, [
      "│ a quote that is",
      "│ long",
      "│",
      "│ │ inner",
    ]],
    ["a rule", "a\n\n***", 20, plain, ["a", "", "────────────────────"]],
    ["a table", "| Name | Count |\n|:--|--:|\n| apples | 3 |\n| pears | 12 |", 40, plain, [
      "Name   │ Count",
      "───────┼──────",
      "apples │     3",
      "pears  │    12",
    ]],
    [
      "a table that is wrapped",
      "| A | B |\n|---|:-:|\n| one two three four five | x |",
      20,
      plain,
      [
        "A                │ B",
        "─────────────────┼──",
        "one two three    │ x",
        "four five        │",
      ],
    ],
    ["a table too wide is a list", "| A | B |\n|---|---|\n|a long one|another|\n|x|y|", 14, plain, [
      "A: a long one",
      "B: another",
      "",
      "A: x",
      "B: y",
    ]],
    ["code is not touched", "```ts\nconst a = 1;\n\n  f();  \n```\nafter", 20, colored, [
      "const a = 1;",
      "",
      "  f();  ",
      "",
      "after",
    ]],
    [
      "code in a list is copied without the list's indent",
      "- a\n  ```\n  b\n  ```\n  c",
      20,
      colored,
      [
        "• a",
        "b",
        "  c",
      ],
    ],
    ["without markup the fences say what is code", "~~~~sh title=x\na\n~~~~", 20, plain, [
      "~~~~sh",
      "a",
      "~~~~",
    ]],
    ["indented code", "    a\n      b", 20, colored, ["a", "  b"]],
    ["without markup marks stay", "# A _b_\n\n**b** _e_ ~~s~~ `c`", 40, plain, [
      "# A _b_",
      "",
      "**b** _e_ ~~s~~ `c`",
    ]],
    ["markup takes the place of marks", "# A\n## B\n\n**b** _e_ ~~s~~ `c` **_x_**", 40, colored, [
      "\x1b[1m\x1b[4mA\x1b[24m\x1b[22m",
      "",
      "\x1b[1mB\x1b[22m",
      "",
      "\x1b[1mb\x1b[22m \x1b[3me\x1b[23m \x1b[9ms\x1b[29m \x1b[36mc\x1b[39m " +
      "\x1b[1m\x1b[3mx\x1b[23m\x1b[22m",
    ]],
    ["HTML is text", "<div>\nraw\n</div>\n\n<i>x</i> &lt;b&gt; &amp;amp;", 40, plain, [
      "<div>",
      "raw",
      "</div>",
      "",
      "<i>x</i> <b> &amp;",
    ]],
    ["no control comes in by its number", "&#65; &#x1b;[31m &#x202e;", 40, plain, [
      "A &#x1b;[31m &#x202e;",
    ]],
    ["control sequences go", "\x1b[31mred\x1b[0m \u202eturned", 40, plain, ["red <U+202E>turned"]],
    ["ASCII alone", "> q\n\n- a\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |", 20, ascii, [
      "| q",
      "",
      "- a",
      "",
      "--------------------",
      "",
      "a | b",
      "--+--",
      "1 | 2",
    ]],
  ];
  for (const [name, source, width, style, want] of cases) {
    await t.step(name, () => {
      deepStrictEqual(linesOf(renderMarkdown(source, { width, style })), want);
    });
  }
});

Deno.test("renderMarkdown() says which lines are code and may be wider", () => {
  const wide = "x".repeat(60);
  deepStrictEqual(
    renderMarkdown(`a\n\n\`\`\`\n${wide}\n\`\`\`\n\nb`, { width: 20, style: colored }),
    [
      { kind: "text", lines: ["a", ""] },
      { kind: "code", lines: [wide] },
      { kind: "text", lines: ["", "b"] },
    ],
  );
});

Deno.test("renderMarkdown() keeps to the width, lets nothing act and fills nothing up", () => {
  fc.assert(
    fc.property(
      markdownTexts(),
      fc.integer({ min: 1, max: 100 }),
      fc.constantFrom(plain, colored, linking),
      (source, width, style) => {
        for (const { kind, lines } of renderMarkdown(source, { width, style })) {
          for (const line of lines) {
            ok(!acts(line), JSON.stringify(line));
            if (kind === "code") continue;
            ok(columnsOf(line) <= Math.max(MIN_WIDTH, width), JSON.stringify(line));
            ok(!unmarked(line).endsWith(" "), JSON.stringify(line));
          }
        }
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("renderMarkdown() loses no word", () => {
  const word = fc.stringMatching(/^[a-z0-9漢é]{1,12}$/u);
  const line = fc.tuple(fc.constantFrom("", "- ", "> ", "# ", "1. ", "    ", "| "), fc.array(word))
    .map(([mark, words]) => mark + words.join(" "));
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 60 }), (lines, width) => {
      const shown = linesOf(renderMarkdown(lines.join("\n"), { width, style: plain })).join("");
      const words = lines.join(" ").match(/[a-z漢é]+/gu) ?? [];
      const letters = (text: string) => (text.match(/[a-z漢é]/gu) ?? []).sort().join("");
      deepStrictEqual(letters(shown), letters(words.join("")));
    }),
    { numRuns: 200 },
  );
});

Deno.test("renderMarkdown() looks for no emphasis in a text where it would take seconds", () => {
  const shown = (times: number) =>
    linesOf(renderMarkdown("*a **b ".repeat(times) + "_c_", { width: 80, style: colored })).join(
      "",
    );
  ok(shown(10).endsWith("\x1b[3mc\x1b[23m"));
  ok(shown(5_000).endsWith("_c_"));
});

Deno.test("renderMarkdown() shows what nobody can read as it is", () => {
  const deep = `${">".repeat(20_000)} a`;
  const shown = linesOf(renderMarkdown(deep, { width: 40, style: plain })).join("");
  ok(shown.includes("a"), "the text is there");
});

Deno.test("loadHighlight() colours code line by line, and leaves the text as it is", async () => {
  const highlight = await loadHighlight(colored);
  deepStrictEqual(highlight("const a = `x\ny`; // <&>", "ts"), [
    "\x1b[34mconst\x1b[39m a = \x1b[32m`x\x1b[39m",
    "\x1b[32my`\x1b[39m; \x1b[2m// <&>\x1b[22m",
  ]);
  const code = 'def f(a, b="<&>"):\n    """doc\n    s"""\n    return f"{a!r} \'{b}\'"\n';
  deepStrictEqual(highlight(code, "python")?.map(unmarked).join("\n"), code);
  deepStrictEqual(highlight("a", "no-such-language"), undefined);
  deepStrictEqual((await loadHighlight(plain))("const a = 1", "ts"), undefined);
});
