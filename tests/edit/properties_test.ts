import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { parseHunks } from "../../edit/hunk_grammar.ts";
import { applyHunks } from "../../edit/hunks.ts";
import { replaceUnique } from "../../edit/ladder.ts";
import { diffLines } from "../../edit/line_diff.ts";
import { isRefusal } from "../../edit/refusal.ts";
import { linesOf, lineText, splitLines } from "../../edit/text.ts";
import { fuzzPatches } from "./fuzz.ts";
import { fileText } from "./mutations.ts";

/** A file, a range of it as the old text, bent as a model bends it, and a new text. */
const edit = fc.tuple(fileText, fc.nat(), fc.nat(), fileText, fc.constantFrom(...bends()))
  .map(([file, a, b, fresh, bend]) => {
    const [start, end] = [a % (file.length + 1), b % (file.length + 1)].sort((x, y) => x - y);
    return { file, old: bend(file.slice(start, end)), fresh };
  });

function bends(): ((text: string) => string)[] {
  return [
    (text) => text,
    (text) => text.replaceAll("\r\n", "\n"),
    (text) => text.replace(/[ \t]+$/gm, ""),
    (text) => text.replace(/^ {2}/gm, ""),
    (text) => text.replace(/^/gm, "    "),
    (text) => text.replace(/[“”]/g, '"'),
    (text) => `\n${text}\n`,
  ];
}

Deno.test("replaceUnique() leaves what lies outside of its changes", () => {
  fc.assert(
    fc.property(edit, ({ file, old, fresh }) => {
      const answer = replaceUnique(file, old, fresh);
      if (!answer.ok) return;
      ok(answer.text !== file, "success without a change");
      let at = 0;
      let made = 0;
      for (const { start, end, text } of answer.changes) {
        ok(at <= start && start <= end && end <= file.length, "changes out of order");
        deepStrictEqual(answer.text.slice(made, made + start - at), file.slice(at, start));
        made += start - at;
        deepStrictEqual(answer.text.slice(made, made + text.length), text);
        made += text.length;
        at = end;
      }
      deepStrictEqual(answer.text.slice(made), file.slice(at));
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("replaceUnique() and back again gives the original", () => {
  fc.assert(
    fc.property(edit, ({ file, old, fresh }) => {
      const there = replaceUnique(file, old, fresh);
      if (!there.ok || there.rung !== "exact" || old === "" || file.includes("\r")) return;
      const back = replaceUnique(there.text, fresh.replaceAll("\r\n", "\n"), old);
      if (back.ok && back.rung === "exact") deepStrictEqual(back.text, file);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("replaceUnique() takes exact text that is there once", () => {
  fc.assert(
    fc.property(fileText, fc.nat(), fc.nat(), (file, a, b) => {
      const plain = file.replaceAll("\r\n", "\n");
      const [start, end] = [a % (plain.length + 1), b % (plain.length + 1)].sort((x, y) => x - y);
      const old = plain.slice(start, end);
      const first = plain.indexOf(old);
      if (old === "" || plain.indexOf(old, first + 1) >= 0 || !old.isWellFormed()) return;
      if (!plain.slice(0, start).isWellFormed() || old.startsWith("\uFEFF")) return;
      const answer = replaceUnique(plain, old, "fresh text");
      deepStrictEqual(
        answer.ok && answer.text,
        plain.slice(0, start) + "fresh text" + plain.slice(end),
      );
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("applyHunks() of exact hunks is an exchange of lines, whatever their order", () => {
  const fresh = fc.array(fc.constantFrom("", "x", "  y", "“z”", "w  "), { maxLength: 3 });
  const parts = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 3 }), fresh), {
    minLength: 1,
    maxLength: 5,
  });
  const lineBreak = fc.constantFrom("\n", "\r\n");
  fc.assert(
    fc.property(parts, lineBreak, fc.boolean(), fc.boolean(), (parts, end, open, reverse) => {
      const file: string[] = [];
      const want: string[] = [];
      const hunks: string[] = [];
      for (const [gap, size, lines] of parts) {
        const next = (count: number) =>
          Array.from({ length: count }, (_, n) => `line ${file.length + n}`);
        const kept = next(gap);
        file.push(...kept);
        want.push(...kept);
        const old = next(size);
        file.push(...old);
        want.push(...lines);
        const text = (part: string[]) => part.map((line) => line + "\n").join("");
        hunks.push(`<<<<<<< ORIGINAL\n${text(old)}=======\n${text(lines)}>>>>>>> UPDATED\n`);
      }
      file.push("last");
      want.push("last");
      const joined = (lines: string[]) => lines.join(end) + (open ? "" : end);
      const parsed = parseHunks((reverse ? hunks.toReversed() : hunks).join(""));
      const answer = isRefusal(parsed) ? parsed : applyHunks(joined(file), parsed);
      deepStrictEqual(answer.ok ? answer.text : answer, joined(want));
    }),
    { numRuns: 500 },
  );
});

Deno.test("mutated patches land or are refused, and never throw", () => {
  const { tried, landed, refused } = fuzzPatches(300);
  deepStrictEqual(tried, 600);
  ok(landed > 0 && refused > 0, "a fuzz that never lands tests nothing");
});

Deno.test("splitLines() loses no character and ends lines at LF and CRLF only", () => {
  fc.assert(fc.property(fileText, (text) => {
    const lines = splitLines(text);
    const whole = Array.from(
      { length: lines.count },
      (_, index) => text.slice(lines.starts[index], lines.starts[index + 1]),
    );
    deepStrictEqual(whole.join(""), text);
    deepStrictEqual(linesOf(text), whole.map((line) => line.replace(/\r?\n$/, "")));
    ok(whole.every((line, index) => line.startsWith(lineText(lines, index))));
  }));
});

Deno.test("diffLines() tells how one list becomes the other", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 14 });
  fc.assert(
    fc.property(lines, lines, fc.constantFrom(2, 1_000), (old, fresh, limit) => {
      const made: string[] = [];
      let at = 0;
      for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(old, fresh, limit)) {
        ok(oldStart >= at && (oldEnd > oldStart || newEnd > newStart), "an empty change");
        made.push(...old.slice(at, oldStart), ...fresh.slice(newStart, newEnd));
        at = oldEnd;
      }
      deepStrictEqual([...made, ...old.slice(at)], fresh);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("diffLines() finds the shortest way", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 10 });
  fc.assert(fc.property(lines, lines, (old, fresh) => {
    const steps = diffLines(old, fresh).reduce(
      (sum, change) => sum + change.oldEnd - change.oldStart + change.newEnd - change.newStart,
      0,
    );
    deepStrictEqual(steps, old.length + fresh.length - 2 * longestShared(old, fresh));
  }));
});

/** Length of the longest common subsequence, by the textbook. */
function longestShared(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [at, other] of b.entries()) {
      next.push(line === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
