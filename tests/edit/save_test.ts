import { deepStrictEqual } from "node:assert/strict";
import { planAppend, planWrite, type Saved } from "../../edit/save.ts";
import type { Refusal } from "../../edit/refusal.ts";

function seen(answer: Saved | Refusal): unknown {
  return answer.ok
    ? [answer.text, { unchanged: answer.unchanged, newlineAdded: answer.newlineAdded }]
    : answer.reason;
}

const plain = { unchanged: false, newlineAdded: false };
const added = { unchanged: false, newlineAdded: true };
const same = { unchanged: true, newlineAdded: false };

Deno.test("planWrite()", async (t) => {
  const cases: [name: string, before: string | undefined, content: string, want: unknown][] = [
    ["new file", undefined, "a\n", ["a\n", plain]],
    ["final line break", undefined, "a", ["a\n", added]],
    ["final line break of CRLF content", undefined, "a\r\nb", ["a\r\nb\r\n", added]],
    ["empty file", undefined, "", ["", plain]],
    ["emptied file", "a\n", "", ["", plain]],
    ["same content", "a\n", "a\n", ["a\n", same]],
    ["same content with an open end", "a", "a", ["a", same]],
    ["line ending of the file", "a\r\nb\r\n", "c\nd", ["c\r\nd\r\n", added]],
    ["line ending of the file for mixed content", "a\r\n", "b\r\nc\n", ["b\r\nc\r\n", plain]],
    ["line ending of the content where the file is mixed", "a\r\nb\n", "c\n", ["c\n", plain]],
    ["one line ending in content for a mixed file", "a\r\nb\r\nc\n", "d\ne", ["d\ne\n", added]],
    ["a line without a break for a CRLF file", "a\r\n", "b", ["b\r\n", added]],
    ["CRLF content is meant", "a\n", "b\r\n", ["b\r\n", plain]],
    ["same but for the line ending", "a\r\n", "a\n", ["a\r\n", same]],
    ["an omission comment", "a\n", "a\n  // ... rest\n", "placeholder"],
    ["an omission comment that was there", "# ...\na\n", "  # ...\nb\n", ["  # ...\nb\n", plain]],
  ];
  for (const [name, before, content, want] of cases) {
    await t.step(name, () => deepStrictEqual(seen(planWrite(before, content)), want));
  }
});

Deno.test("planAppend()", async (t) => {
  const cases: [name: string, before: string | undefined, content: string, want: unknown][] = [
    ["new file", undefined, "a", ["a\n", added]],
    ["break before and behind", "a", "b", ["a\nb\n", added]],
    ["no break needed", "a\n", "b\n", ["a\nb\n", plain]],
    ["CRLF", "a\r\nb", "c\nd", ["a\r\nb\r\nc\r\nd\r\n", added]],
    ["CRLF content for an LF file", "a\n", "b\r\nc", ["a\nb\nc\n", added]],
    ["mixed: as the last line", "a\r\nb\r\nc\n", "d\ne", ["a\r\nb\r\nc\nd\ne\n", added]],
    ["mixed, open: as the last break", "a\nb\r\nc", "d\ne", ["a\nb\r\nc\r\nd\r\ne\r\n", added]],
    ["CRLF content in a new file", undefined, "a\r\nb", ["a\r\nb\r\n", added]],
    ["blank line in between", "a\n", "\nb\n", ["a\n\nb\n", plain]],
    ["nothing", "a", "", ["a", same]],
    ["an omission comment", "a\n", "# ...\n", "placeholder"],
  ];
  for (const [name, before, content, want] of cases) {
    await t.step(name, () => deepStrictEqual(seen(planAppend(before, content)), want));
  }
});

Deno.test("planWrite() hints at patches for small changes of longer files", async (t) => {
  const file = (count: number, changed: number) =>
    Array.from({ length: count }, (_, n) => n < changed ? `new ${n}\n` : `line ${n}\n`).join("");
  const cases: [name: string, lines: number, changed: number, hint: boolean][] = [
    ["ten parts are too few", 9, 1, false],
    ["eleven are enough", 10, 1, true],
    ["four touched lines are few in any file", 10, 2, true],
    ["six of eleven are not", 10, 3, false],
    ["under 30 percent", 20, 3, true],
    ["30 percent", 19, 3, false],
  ];
  for (const [name, lines, changed, hint] of cases) {
    await t.step(name, () => {
      const answer = planWrite(file(lines, 0), file(lines, changed));
      deepStrictEqual(answer.ok && answer.hint !== undefined, hint);
    });
  }
});
