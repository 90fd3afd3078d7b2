import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Question } from "../../../../agent/gate/approver.ts";
import {
  approvalText,
  askingLine,
  choiceLines,
} from "../../../../agent/terminal/approval/approval_text.ts";
import { fold } from "../../../../agent/terminal/approval/fold.ts";

const same = (text: string) => text;
const PLAIN = { bold: same, dim: same, red: same, green: same };

function question(args: unknown, more: Partial<Question> = {}): Question {
  return { callId: "1", tool: "bash", arguments: JSON.stringify(args), reason: "so", ...more };
}

Deno.test("approvalText()", async (t) => {
  const cases: [name: string, question: Question, want: string[]][] = [
    ["an argument a line", question({ command: "ls", timeout_ms: 5, background: true }), [
      "bash asks: so",
      "  command: ls",
      "  timeout_ms: 5",
      "  background: true",
    ]],
    ["lines of a text cannot pass for arguments", question({ command: "ls\n  path: /etc" }), [
      "bash asks: so",
      "  command: ls",
      "  |   path: /etc",
    ]],
    [
      "what is unseen is shown, in names, values, reasons and previews",
      question({ "pa\u202eth": "a\x1b[1Ab\r", list: ["\u200b"] }, {
        reason: "it writes \x1b]0;x\x07",
        tool: "write\u200b",
        preview: "+\x1b[8mhidden\n",
      }),
      [
        "write<U+200B> asks: it writes <U+001B>]0;x<U+0007>",
        "  pa<U+202E>th: a<U+001B>[1Ab<U+000D>",
        '  list: ["<U+200B>"]',
        "+<U+001B>[8mhidden",
      ],
    ],
    ["a problem comes first", question({ command: "ls" }, { problem: "no\nJSON" }), [
      "Not so: no\\nJSON",
      "bash asks: so",
      "  command: ls",
    ]],
    ["arguments that are no object are shown as they are", question(["a"]), [
      "bash asks: so",
      '  ["a"]',
    ]],
  ];
  for (const [name, asked, lines] of cases) {
    await t.step(name, () => deepStrictEqual(approvalText(asked, PLAIN), { lines, folded: false }));
  }
});

Deno.test("approvalText() folds long texts, and shows all of them when asked", () => {
  const script = Array.from({ length: 400 }, (_, i) => `echo ${i}`).join("\n");
  const asked = question({ command: script, other: "x".repeat(5_000) });
  const short = approvalText(asked, PLAIN);
  strictEqual(short.folded, true);
  ok(short.lines.includes("… 376 more lines …"), short.lines.join("\n"));
  ok(short.lines.includes("  | echo 399"));
  match(short.lines.at(-1) ?? "", /^ {2}other: x+ … 4009 more characters … x+$/);
  const full = approvalText(asked, PLAIN, true);
  deepStrictEqual([full.folded, full.lines.length], [false, 402]);
  const diff = Array.from({ length: 500 }, (_, i) => `+${i}`).join("\n");
  const edit = approvalText(question({ path: "a" }, { preview: diff }), PLAIN);
  deepStrictEqual([edit.folded, edit.lines.at(-1)], [true, "+499"]);
});

Deno.test("approvalText() marks a diff by its lines", () => {
  const style = {
    ...PLAIN,
    red: (text: string) => `r:${text}`,
    green: (text: string) => `g:${text}`,
  };
  const preview = "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n three\n";
  deepStrictEqual(approvalText(question({}, { preview }), style).lines.slice(1), [
    "r:--- a",
    "g:+++ b",
    "@@ -1 +1 @@",
    "r:-one",
    "g:+two",
    " three",
  ]);
});

Deno.test("choiceLines() and askingLine() say what may be answered", () => {
  deepStrictEqual(choiceLines(question({}, { editable: true }), PLAIN, false), [
    "  y yes, this once",
    "  n no (also Enter)",
    "  e edit, then ask again",
  ]);
  strictEqual(askingLine({}), "Run this? [y/N] ");
  strictEqual(askingLine({ ask: "Trust /a\x1b[2K?" }), "Trust /a<U+001B>[2K? [y/N] ");
});

Deno.test("fold()", async (t) => {
  const limits = { lines: 3, characters: 6 };
  const cases: [name: string, lines: string[], want: string[], folded: boolean][] = [
    ["what fits stays", ["a", "b", "c"], ["a", "b", "c"], false],
    ["one line more is no gain", ["a", "b", "c", "d"], ["a", "b", "c", "d"], false],
    [
      "the middle is left out",
      ["a", "b", "c", "d", "e"],
      ["a", "b", "… 2 more lines …", "e"],
      true,
    ],
    ["of a line, too", ["123456789"], ["1234 … 3 more characters … 89"], true],
    ["characters are whole", ["🙂🙂🙂🙂🙂🙂"], ["🙂🙂🙂🙂🙂🙂"], false],
  ];
  for (const [name, lines, want, folded] of cases) {
    await t.step(name, () => deepStrictEqual(fold(lines, limits), { lines: want, folded }));
  }
});
