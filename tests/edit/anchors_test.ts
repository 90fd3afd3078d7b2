import { deepStrictEqual, notDeepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { type AnchorOperation, patchAnchored } from "../../edit/anchor_patch.ts";
import { renderRows, viewAnchored } from "../../edit/anchors.ts";
import { applyChanges } from "../../edit/rewrite.ts";

type Step = Omit<AnchorOperation, "anchor"> & { readonly line: number };

/** Applies steps that name lines of `viewed` to `text`; answers the new text or the reason. */
function outcome(viewed: string, text: string, steps: readonly Step[]): string {
  const view = viewAnchored(viewed);
  const answer = patchAnchored(
    text,
    steps.map(({ line, ...step }) => ({ ...step, anchor: view[line - 1]?.anchor ?? "none" })),
  );
  return answer.ok ? answer.text : answer.reason;
}

Deno.test("patchAnchored()", async (t) => {
  const cases: [name: string, text: string, steps: Step[], want: string][] = [
    ["replace", "a\nb\n", [{ line: 2, op: "replace", text: "c" }], "a\nc\n"],
    [
      "replace by several lines",
      "a\nb\n",
      [{ line: 1, op: "replace", text: "x\ny\n" }],
      "x\ny\nb\n",
    ],
    ["delete", "a\nb\n", [{ line: 1, op: "delete" }], "b\n"],
    ["insert before", "a\nb\n", [{ line: 1, op: "insert_before", text: "x" }], "x\na\nb\n"],
    ["insert after", "a\nb\n", [{ line: 1, op: "insert_after", text: "x\ny" }], "a\nx\ny\nb\n"],
    [
      "insert after an open end",
      "a\r\nb",
      [{ line: 2, op: "insert_after", text: "x" }],
      "a\r\nb\r\nx",
    ],
    ["replace an open end", "a\nb", [{ line: 2, op: "replace", text: "x\n" }], "a\nx"],
    ["one empty line", "a\n", [{ line: 1, op: "insert_before", text: "\n" }], "\na\n"],
    ["CRLF", "a\r\nb\r\n", [{ line: 1, op: "replace", text: "x\ny" }], "x\r\ny\r\nb\r\n"],
    ["two inserts at one place, in line order", "a\nb\n", [
      { line: 2, op: "insert_before", text: "y" },
      { line: 1, op: "insert_after", text: "x" },
    ], "a\nx\ny\nb\n"],
    ["two operations on one line", "a\nb\n", [
      { line: 1, op: "insert_after", text: "x" },
      { line: 1, op: "delete" },
    ], "duplicate_anchor"],
    ["guard holds", "a\n", [{ line: 1, op: "delete", expected: " a \n" }], ""],
    ["guard fails", "a\n", [{ line: 1, op: "delete", expected: "A" }], "guard_failed"],
    ["no text", "a\n", [{ line: 1, op: "replace", text: "" }], "malformed"],
    ["an omission comment", "a\n", [{ line: 1, op: "replace", text: "// ..." }], "placeholder"],
    ["nothing changes", "a\n", [{ line: 1, op: "replace", text: "a" }], "no_change"],
    ["unknown anchor stops the batch", "a\n", [
      { line: 1, op: "delete" },
      { line: 9, op: "delete" },
    ], "stale_anchor"],
  ];
  for (const [name, text, steps, want] of cases) {
    await t.step(name, () => deepStrictEqual(outcome(text, text, steps), want));
  }
});

Deno.test("an anchor goes stale, and never slides onto a twin", async (t) => {
  const twins = "q\nsame\nr\nq\nsame\nr\n";
  const cases: [name: string, viewed: string, now: string, line: number, want: string][] = [
    ["other lines changed", "a\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", 2, "a\nX\nc\nd\nE\n"],
    ["lines came above", "a\nb\nc\n", "new\nmore\na\nb\nc\n", 2, "new\nmore\na\nX\nc\n"],
    ["the line changed", "a\nb\nc\n", "a\nB\nc\n", 2, "stale_anchor"],
    ["a neighbour changed", "a\nb\nc\n", "A\nb\nc\n", 2, "stale_anchor"],
    ["first of two twins", twins, twins, 2, "q\nX\nr\nq\nsame\nr\n"],
    ["second of two twins", twins, twins, 5, "q\nsame\nr\nq\nX\nr\n"],
    ["a twin came", twins, twins + "q\nsame\nr\n", 5, "stale_anchor"],
    ["a twin went", twins, "q\nsame\nr\n", 2, "stale_anchor"],
    ["a line got a twin", "q\nsame\nr\n", twins, 2, "stale_anchor"],
    [
      "a twin moved",
      `A\n${twins.slice(0, 9)}B\n${twins.slice(9)}`,
      `A\nB\n${twins}`,
      3,
      "stale_anchor",
    ],
    [
      "twins as they were, other lines changed",
      `${twins}z\n1\n`,
      `${twins}z\n2\n`,
      5,
      `${twins.replace(/same\nr\n$/, "X\nr\n")}z\n2\n`,
    ],
  ];
  for (const [name, viewed, now, line, want] of cases) {
    await t.step(name, () => {
      deepStrictEqual(outcome(viewed, now, [{ line, op: "replace", text: "X" }]), want);
    });
  }
});

Deno.test("patchAnchored() answers with fresh anchors around its changes", () => {
  const text = Array.from({ length: 40 }, (_, n) => `line ${n}\n`).join("");
  const view = viewAnchored(text);
  const answer = patchAnchored(text, [
    { anchor: view[9]?.anchor ?? "", op: "replace", text: "x\ny" },
    { anchor: `${view[29]?.anchor}│ line 29`, op: "delete" },
  ]);
  ok(answer.ok);
  deepStrictEqual(answer.rows.map(({ line }) => line), [
    ...[7, 8, 9, 10, 11, 12, 13, 14],
    ...[28, 29, 30, 31, 32, 33, 34],
  ]);
  deepStrictEqual(answer.rows[3], { ...viewAnchored(answer.text)[9], text: "x" });
  deepStrictEqual(applyChanges(text, answer.changes), answer.text);
});

Deno.test("a refused batch shows the file, or the rows around its operations", () => {
  const small = "a\nb\n";
  const refused = patchAnchored(small, [{ anchor: "zzz", op: "delete" }]);
  deepStrictEqual(refused.rows, viewAnchored(small));
  const big = Array.from({ length: 300 }, (_, n) => `line ${n}\n`).join("");
  const known = { anchor: viewAnchored(big)[99]?.anchor ?? "", op: "delete" } as const;
  const answer = patchAnchored(big, [known, { anchor: "zzz", op: "delete" }]);
  deepStrictEqual(answer.rows.map(({ line }) => line), [97, 98, 99, 100, 101, 102, 103]);
});

Deno.test("viewAnchored() gives every line a name of its own", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", "", "}"), { maxLength: 30 }), (lines) => {
      const anchors = viewAnchored(lines.join("\n")).map(({ anchor }) => anchor);
      deepStrictEqual(new Set(anchors).size, anchors.length);
    }),
  );
});

Deno.test("renderRows() marks what it leaves out", () => {
  const rows = viewAnchored("a\nb\nc\n").filter(({ line }) => line !== 2);
  const [first, last] = rows;
  deepStrictEqual(renderRows(rows), `${first?.anchor}│ a\n…\n${last?.anchor}│ c`);
  notDeepStrictEqual(first?.anchor, last?.anchor);
});
