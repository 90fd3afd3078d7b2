import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { columnsOf } from "../../../../agent/terminal/render/columns.ts";
import { renderDiff } from "../../../../agent/terminal/render/diff.ts";
import { MIN_WIDTH } from "../../../../agent/terminal/render/view.ts";
import type { Style } from "../../../../agent/terminal/style.ts";
import { unifiedDiff } from "../../../../edit/diff.ts";
import { acts, ascii, colored, named, plain } from "./styles.ts";

const OLD = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n";
const NEW = OLD.replace("two\n", "2\n").replace("twelve", "the twelfth, at last");
const MANY = unifiedDiff("a.ts", "", Array.from({ length: 50 }, (_, i) => `line ${i}\n`).join(""));

Deno.test("renderDiff()", async (t) => {
  const cases: [name: string, diff: string, width: number, style: Style, want: string[]][] = [
    ["both numbers, where there is room", unifiedDiff("src/a.ts", OLD, NEW), 80, plain, [
      "src/a.ts  +2 -2",
      " 1  1   one",
      " 2    - two",
      "    2 + 2",
      " 3  3   three",
      " 4  4   four",
      " 5  5   five",
      " ⋮",
      " 9  9   nine",
      "10 10   ten",
      "11 11   eleven",
      "12    - twelve",
      "   12 + the twelfth, at last",
    ]],
    ["one number, and long lines broken", unifiedDiff("a", "x\n", "y of many words\n"), 14, ascii, [
      "a  +1 -1",
      "1 - x",
      "1 + y of many",
      "    words",
    ]],
    ["words that changed", unifiedDiff("a", "let a = 1;\n", "let b = 1;\n"), 40, named, [
      "<b>a</b>  +1 -1",
      "1 <red>-</red> <red>let </red><inverse><red>a</red></inverse><red> = 1;</red>",
      "1 <green>+</green> <green>let </green><inverse><green>b</green></inverse>" +
      "<green> = 1;</green>",
    ]],
    ["lines with little in common are whole", unifiedDiff("a", "abc def\n", "x y z\n"), 40, named, [
      "<b>a</b>  +1 -1",
      "1 <red>-</red> <red>abc def</red>",
      "1 <green>+</green> <green>x y z</green>",
    ]],
    ["a file that is made, without a last line end", newFile("a.txt", "a\nb"), 40, plain, [
      "a.txt (new)  +2",
      "1 + a",
      "2 + b",
      "    (no line end)",
    ]],
    ["a file that is removed", gone("a.txt", "a\n"), 40, plain, ["a.txt (removed)  -1", "1 - a"]],
    ["a file that moves", moved(), 40, plain, ["a → b  +1 -1", "1 - x", "1 + y"]],
    ["files without lines", "Binary file a.png becomes /dev/null\nc becomes d\n", 40, plain, [
      "a.png (removed)  binary",
      "c → d",
    ]],
    ["lines that look like headers", unifiedDiff("a", "-- a\n++ b\n", "++ b\n"), 40, plain, [
      "a  -1",
      "1 - -- a",
      "1   ++ b",
    ]],
    [
      "what cannot be seen is shown",
      unifiedDiff("a", "a\r\n", "a\u202e\u200b\x1b[2K\n"),
      80,
      plain,
      [
        "a  +1 -1",
        "1   - a<U+000D>",
        "  1 + a<U+202E><U+200B><U+001B>[2K",
      ],
    ],
    ["tabs are drawn as blanks", unifiedDiff("a", "", "\ta\n"), 40, plain, ["a  +1", "1 +     a"]],
    ["nothing is passed over", "hello\n@@ -1 +1 @@\n-a\n+b\n", 40, plain, [
      "  +1 -1",
      "hello",
      "⋮",
      "1 - a",
      "1 + b",
    ]],
  ];
  for (const [name, diff, width, style, want] of cases) {
    await t.step(name, () => deepStrictEqual(renderDiff(diff, { width, style }), want));
  }
});

Deno.test("renderDiff() folds what is long, and counts what it leaves out", () => {
  const view = { width: 40, style: plain };
  deepStrictEqual(renderDiff(MANY, view, { maxLines: 5 }), [
    "a.ts  +50",
    " 1 + line 0",
    " 2 + line 1",
    " 3 + line 2",
    "… 47 more lines, +47",
  ]);
  deepStrictEqual(renderDiff(MANY, view).length, 51);
  deepStrictEqual(renderDiff(MANY, view, { maxLines: 51 }), renderDiff(MANY, view));
  const two = MANY + unifiedDiff("b.ts", "a\n", "b\n");
  deepStrictEqual(
    renderDiff(two, view, { maxLines: 4 }).at(-1),
    "… 50 more lines, 1 more file, +49 -1",
  );
});

Deno.test("renderDiff() shows the beginning of an endless line where it folds", () => {
  const diff = unifiedDiff("a.js", "", `${"x".repeat(10_000)}\n`);
  const lines = renderDiff(diff, { width: 40, style: plain }, { maxLines: 20 });
  deepStrictEqual(lines.length, 6);
  deepStrictEqual(lines.at(-1), "    (274 more)");
});

Deno.test("renderDiff() keeps to the width and lets nothing act, whatever the diff", () => {
  const text = fc.array(fc.oneof(fc.constantFrom("a", "b b", "", "--- x", "+++ y"), fc.string()))
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(
      fc.oneof(fc.tuple(text, text).map(([old, fresh]) => unifiedDiff("a", old, fresh)), text),
      fc.integer({ min: 1, max: 100 }),
      fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
      fc.constantFrom(plain, colored),
      (diff, width, maxLines, style) => {
        const lines = renderDiff(diff, { width, style }, { maxLines });
        for (const line of lines) {
          ok(columnsOf(line) <= Math.max(MIN_WIDTH, width), JSON.stringify(line));
          ok(!acts(line), JSON.stringify(line));
        }
      },
    ),
    { numRuns: 300 },
  );
});

function newFile(path: string, text: string): string {
  return unifiedDiff({ old: undefined, fresh: path }, "", text);
}

function gone(path: string, text: string): string {
  return unifiedDiff({ old: path, fresh: undefined }, text, "");
}

function moved(): string {
  return unifiedDiff({ old: "a", fresh: "b" }, "x\n", "y\n");
}
