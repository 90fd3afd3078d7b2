import { deepStrictEqual } from "node:assert/strict";
import { unifiedDiff } from "../../edit/diff.ts";

const HEAD = "--- a/f\n+++ b/f\n";

Deno.test("unifiedDiff()", async (t) => {
  const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
  const cases: [name: string, old: string, fresh: string, want: string][] = [
    ["nothing", "a\n", "a\n", ""],
    ["a line", "a\nb\nc\n", "a\nB\nc\n", `${HEAD}@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n`],
    [
      "three lines around",
      ten,
      ten.replace("5", "five"),
      `${HEAD}@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n`,
    ],
    [
      "changes far apart",
      ten,
      ten.replace("1\n2", "2").replace("10", "ten"),
      `${HEAD}@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -7,4 +6,4 @@\n 7\n 8\n 9\n-10\n+ten\n`,
    ],
    [
      "changes close together",
      "a\nb\nc\nd\n",
      "A\nb\nc\nD\n",
      `${HEAD}@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n-d\n+D\n`,
    ],
    ["from nothing", "", "a\n", `${HEAD}@@ -0,0 +1 @@\n+a\n`],
    ["to nothing", "a\n", "", `${HEAD}@@ -1 +0,0 @@\n-a\n`],
    [
      "the final line break",
      "a",
      "a\n",
      `${HEAD}@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n`,
    ],
    ["a line ending", "a\r\n", "a\n", `${HEAD}@@ -1 +1 @@\n-a\r\n+a\n`],
  ];
  for (const [name, old, fresh, want] of cases) {
    await t.step(name, () => deepStrictEqual(unifiedDiff("f", old, fresh), want));
  }
  await t.step("a new file and a moved one", () => {
    const start = (old: string | undefined, fresh: string | undefined) =>
      unifiedDiff({ old, fresh }, "a\n", "b\n").split("\n").slice(0, 2);
    deepStrictEqual(start(undefined, "f"), ["--- /dev/null", "+++ b/f"]);
    deepStrictEqual(start("f", undefined), ["--- a/f", "+++ /dev/null"]);
    deepStrictEqual(start("f", "g"), ["--- a/f", "+++ b/g"]);
  });
});
