import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  linesOf,
  newOnes,
  toldLines,
  withoutPlaces,
} from "../../../agent/edit_checks/problem_lines.ts";

const fresh = (before: string, after: string) =>
  newOnes(linesOf(before), linesOf(after), withoutPlaces);

Deno.test("newOnes() tells what is new, and nothing that only moved", async (t) => {
  const cases: [name: string, before: string, after: string, told: string[]][] = [
    ["nothing", "", "", []],
    ["a problem", "", "a.py:1:1: F401 x", ["a.py:1:1: F401 x"]],
    ["moved, as most write it", "a.py:1:1: F401 x", "a.py:9:1: F401 x", []],
    ["moved, as tsc writes it", "a.ts(1,5): error TS1: x", "a.ts(20,15): error TS1: x", []],
    ["moved, as eslint writes it", "  3:5  error  x", "  13:5  error  x", []],
    ["moved, in words", "x (line 3)", "x (line 12)", []],
    ["once more", "a:1: x", "a:1: x\na:2: x", ["a:2: x"]],
    ["another one beside it", "a:1: x\na:2: y", "a:1: z\na:2: y", ["a:1: z"]],
    ["gone", "a:1: x", "", []],
  ];
  for (const [name, before, after, told] of cases) {
    await t.step(name, () => deepStrictEqual(fresh(before, after), told));
  }
});

Deno.test("newOnes() of a list and itself with more in it is what is more", () => {
  fc.assert(fc.property(
    fc.array(fc.constantFrom("a", "b", "c")),
    fc.array(fc.constantFrom("a", "b", "c")),
    (before, more) => {
      deepStrictEqual(newOnes(before, before, (x) => x), []);
      deepStrictEqual(newOnes(before, [...before, ...more], (x) => x), more);
    },
  ));
});

Deno.test("toldLines() is bounded in lines, in length, and in the length of a line", () => {
  fc.assert(fc.property(fc.array(fc.string({ maxLength: 2_000 }), { maxLength: 60 }), (lines) => {
    const told = toldLines(lines.map((line) => line.replaceAll("\n", " ")));
    ok(told.length <= 4_100);
    ok(told.split("\n").length <= 21);
  }));
  const many = Array.from({ length: 23 }, (_, index) => `line ${index}`);
  deepStrictEqual(toldLines(many).split("\n").slice(-2), ["line 19", "… and 3 more lines"]);
  deepStrictEqual(toldLines([`${"x".repeat(499)}\u{1f600}`]), `${"x".repeat(499)}…`);
});
