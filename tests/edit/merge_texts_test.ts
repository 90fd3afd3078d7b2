import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type MergedText, mergeTexts } from "../../edit/merge_texts.ts";

Deno.test("mergeTexts()", async (t) => {
  const base = "1\n2\n3\n4\n5\n";
  const merged = (text: string): MergedText => ({ ok: true, text });
  const clash = (...lines: number[]): MergedText => ({ ok: false, lines });
  const cases: [name: string, base: string, ours: string, theirs: string, want: MergedText][] = [
    ["joins changes of different lines", base, "x\n2\n3\n4\n5\n", "1\n2\n3\n4\ny\n", {
      ...merged("x\n2\n3\n4\ny\n"),
    }],
    ["takes the same change once", base, "1\nx\n3\n4\n5\n", "1\nx\n3\n4\ny\n", {
      ...merged("1\nx\n3\n4\ny\n"),
    }],
    ["refuses the same line", base, "1\n2\nx\n4\n5\n", "1\n2\ny\n4\n5\n", clash(3)],
    ["refuses lines that touch", base, "1\nx\n3\n4\n5\n", "1\n2\ny\n4\n5\n", clash(2)],
    ["names every clash, where it is in ours", base, "0\nx\n2\n3\n4\nx\n", "y\n2\n3\n4\ny\n", {
      ...clash(1, 6),
    }],
    ["refuses two insertions in one place", base, "1\nx\n2\n3\n4\n5\n", "1\ny\n2\n3\n4\n5\n", {
      ...clash(2),
    }],
    ["refuses a removal of what was changed", base, "1\n2\n4\n5\n", "1\n2\nx\n4\n5\n", clash(3)],
    ["joins removals", base, "2\n3\n4\n5\n", "1\n2\n3\n4\n", merged("2\n3\n4\n")],
    ["keeps line ends of the side that changed", "1\n2\n3\n", "1\r\n2\n3\n", "1\n2\n3", {
      ...merged("1\r\n2\n3"),
    }],
    ["joins what was added to nothing by one side", "", "x\n", "", merged("x\n")],
  ];
  for (const [name, base, ours, theirs, want] of cases) {
    await t.step(name, () => deepStrictEqual(mergeTexts(base, ours, theirs), want));
  }
});

const text = fc.array(fc.constantFrom("a", "b", "c", "\n", "\n", "\r\n"), { maxLength: 40 })
  .map((parts) => parts.join(""));

Deno.test("mergeTexts() takes what one side left alone from the other", () => {
  fc.assert(fc.property(text, text, (base, changed) => {
    const want = { ok: true, text: changed };
    deepStrictEqual(mergeTexts(base, changed, base), want);
    deepStrictEqual(mergeTexts(base, base, changed), want);
    deepStrictEqual(mergeTexts(base, changed, changed), want);
  }));
});

Deno.test("mergeTexts() merges alike from both sides", () => {
  fc.assert(fc.property(text, text, text, (base, ours, theirs) => {
    const one = mergeTexts(base, ours, theirs);
    const other = mergeTexts(base, theirs, ours);
    deepStrictEqual(one.ok, other.ok);
    if (one.ok) deepStrictEqual(one, other);
  }));
});

Deno.test("mergeTexts() joins any changes above and below a line that both sides keep", () => {
  const line = fc.array(fc.constantFrom("a\n", "b\n"), { maxLength: 8 }).map((all) => all.join(""));
  fc.assert(fc.property(line, line, line, line, (above, below, newAbove, newBelow) => {
    const kept = "kept, and nowhere else\n";
    deepStrictEqual(
      mergeTexts(above + kept + below, newAbove + kept + below, above + kept + newBelow),
      { ok: true, text: newAbove + kept + newBelow },
    );
  }));
});
