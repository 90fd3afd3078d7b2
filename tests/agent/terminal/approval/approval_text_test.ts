import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Question } from "../../../../agent/gate/approver.ts";
import {
  approvalText,
  askingLine,
  choiceLines,
} from "../../../../agent/terminal/approval/approval_text.ts";
import { renderDiff } from "../../../../agent/terminal/render/diff.ts";
import { styleFor } from "../../../../agent/terminal/style.ts";
import { fold } from "../../../../agent/terminal/approval/fold.ts";

const PLAIN = styleFor({ flag: "never", isTerminal: true, env: () => undefined });
const VIEW = { style: PLAIN, width: 80 };

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
        preview: "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+\x1b[8mhidden\n",
      }),
      [
        "write<U+200B> asks: it writes <U+001B>]0;x<U+0007>",
        "  pa<U+202E>th: a<U+001B>[1Ab<U+000D>",
        '  list: ["<U+200B>"]',
        "a  +1 -1",
        "1   - a",
        "  1 + <U+001B>[8mhidden",
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
    await t.step(name, () => deepStrictEqual(approvalText(asked, VIEW), { lines, folded: false }));
  }
});

Deno.test("approvalText() folds long texts, and shows all of them when asked", () => {
  const script = Array.from({ length: 400 }, (_, i) => `echo ${i}`).join("\n");
  const asked = question({ command: script, other: "x".repeat(5_000) });
  const short = approvalText(asked, VIEW);
  strictEqual(short.folded, true);
  ok(short.lines.includes("… 376 more lines …"), short.lines.join("\n"));
  ok(short.lines.includes("  | echo 399"));
  match(short.lines.at(-1) ?? "", /^ {2}other: x+ … 4009 more characters … x+$/);
  const full = approvalText(asked, VIEW, true);
  deepStrictEqual([full.folded, full.lines.length], [false, 402]);
  const added = Array.from({ length: 500 }, (_, i) => `+line ${i}`).join("\n");
  const preview = `--- a\n+++ a\n@@ -0,0 +1,500 @@\n${added}\n`;
  const edit = approvalText(question({ path: "a" }, { preview }), VIEW);
  deepStrictEqual([edit.folded, edit.lines.at(-1)], [true, "… 382 more lines, +382"]);
  const whole = approvalText(question({ path: "a" }, { preview }), VIEW, true);
  deepStrictEqual([whole.folded, whole.lines.at(-1)], [false, "    500 + line 499"]);
});

Deno.test("approvalText() shows a change as it will be shown once it is made", () => {
  const preview = "--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n-one\u202e\n+two\n three\n";
  const { lines } = approvalText(question({}, { preview }), VIEW);
  deepStrictEqual(lines.slice(1), renderDiff(preview, VIEW));
  ok(lines.includes("1   - one<U+202E>"), lines.join("\n"));
});

Deno.test("approvalText() wraps why it asks, and leaves arguments whole", () => {
  const long = "word ".repeat(20).trim();
  const { lines } = approvalText(question({ command: long }, { reason: long }), VIEW);
  deepStrictEqual(lines, [
    `bash asks: ${"word ".repeat(14).trim()}`,
    "word ".repeat(6).trim(),
    `  command: ${long}`,
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
