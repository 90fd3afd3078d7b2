import { deepStrictEqual } from "node:assert/strict";
import { applyCodexHunks } from "../../edit/codex.ts";
import { parseCodex } from "../../edit/codex_grammar.ts";
import { isRefusal } from "../../edit/refusal.ts";

function update(body: string): string {
  return `*** Begin Patch\n*** Update File: f\n${body}\n*** End Patch\n`;
}

function outcome(file: string, body: string): string | readonly [string, string] {
  const files = parseCodex(update(body));
  if (isRefusal(files)) return files.reason;
  const [first] = files;
  if (first?.kind !== "update") return "no update";
  const answer = applyCodexHunks(file, first.hunks);
  return answer.ok ? [answer.text, answer.rung] : answer.reason;
}

type Row = readonly [
  name: string,
  file: string,
  body: string,
  want: string | readonly [string, string],
];

function table(title: string, rows: readonly Row[]): void {
  Deno.test(title, async (t) => {
    for (const [name, file, body, want] of rows) {
      await t.step(name, () => deepStrictEqual(outcome(file, body), want));
    }
  });
}

const TWINS = "class A:\n  def f():\n    x\n\nclass B:\n  def f():\n    x\n";

table("applyCodexHunks() with anchors", [
  ["narrows to its block", TWINS, "@@ class B:\n-    x\n+    y", [
    TWINS.replace(/x\n$/, "y\n"),
    "exact",
  ]],
  ["first block, twin behind it", TWINS, "@@ class A:\n-    x\n+    y", [
    TWINS.replace("x", "y"),
    "exact",
  ]],
  ["several lines narrow step by step", TWINS, "@@ class B:\n@@   def f():\n-    x\n+    y", [
    TWINS.replace(/x\n$/, "y\n"),
    "exact",
  ]],
  [
    "the next anchor lies in the block before it lies behind",
    TWINS,
    "@@ class A:\n@@ def f():\n-    x\n+    y",
    [
      TWINS.replace("x", "y"),
      "exact",
    ],
  ],
  ["indentation of the anchor does not count", TWINS, "@@ class B:\n@@ def f():\n-    x\n+    y", [
    TWINS.replace(/x\n$/, "y\n"),
    "exact",
  ]],
  ["unique beginning", "def run(a, b):\n  x\n", "@@ def run\n-  x\n+  y", [
    "def run(a, b):\n  y\n",
    "exact",
  ]],
  [
    "beginning of two lines",
    "def run1:\n  x\ndef run2:\n  z\n",
    "@@ def run\n-  x\n+  y",
    "ambiguous",
  ],
  ["twice there", TWINS, "@@ def f():\n-    x\n+    y", "ambiguous"],
  ["not there", TWINS, "@@ class C:\n-    x\n+    y", "not_found"],
  ["block behind its scope", "# A\nx\n# B\ny\n", "@@ # A\n-y\n+z", ["# A\nx\n# B\nz\n", "exact"]],
  ["block above it", "x\n# A\n", "@@ # A\n-x\n+z", "not_found"],
  ["block that starts with the anchor line", "a\nx\nb\n", "@@ a\n a\n-x\n+y", [
    "a\ny\nb\n",
    "exact",
  ]],
  ["range of a unified diff", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c", ["a\nc\n", "exact"]],
  ["range and section", TWINS, "@@ -5,3 +5,3 @@ class B:\n-    x\n+    y", [
    TWINS.replace(/x\n$/, "y\n"),
    "exact",
  ]],
  ["signs on both sides", TWINS, "@@ class B: @@\n-    x\n+    y", [
    TWINS.replace(/x\n$/, "y\n"),
    "exact",
  ]],
]);

table("applyCodexHunks() that only add", [
  ["below the anchor", "a\nb\n", "@@ a\n+x", ["a\nx\nb\n", "exact"]],
  ["at the end", "a\n", "@@\n+x", ["a\nx\n", "exact"]],
  ["at the end, no final break", "a\r\nb", "@@\n+x\n+y", ["a\r\nb\r\nx\r\ny", "exact"]],
  ["below an anchor that is the open end", "a\nb", "@@ b\n+x", ["a\nb\nx", "exact"]],
  ["into an empty file", "", "@@\n+x", ["x\n", "exact"]],
  ["in the anchor's line ending", "a\r\nb\n", "@@ a\n+x", ["a\r\nx\r\nb\n", "exact"]],
  ["with a gap before the next hunk", "a\n\nb\n", "@@\n+x\n\n@@\n-b\n+c", ["a\n\nc\nx\n", "exact"]],
  ["two at one place keep their order", "a\n", "@@\n+x\n@@\n+y", ["a\nx\ny\n", "exact"]],
  ["anchor twice", "a\na\n", "@@ a\n+x", "ambiguous"],
  ["an omission comment", "a\n", "@@ a\n+// ...", "placeholder"],
]);

table("applyCodexHunks()", [
  ["context keeps its bytes", "a  \n“b”\nc\n", '@@\n a\n "b"\n-c\n+d', [
    "a  \n“b”\nd\n",
    "typography",
  ]],
  ["removed and added alike keep them too", "“a”\nb\n", '@@\n-"a"\n-b\n+"a"\n+c', [
    "“a”\nc\n",
    "typography",
  ]],
  ["which of two equal blank lines", "a\n\n\nb\n", "@@\n a\n-\n \n b", ["a\n\nb\n", "exact"]],
  ["shared context is no overlap", "a\nb\nc\n", "@@\n-a\n+x\n b\n@@\n b\n-c\n+y", [
    "x\nb\ny\n",
    "exact",
  ]],
  ["the same line twice is", "a\nb\n", "@@\n-a\n+x\n@@\n-a\n+y", "overlap"],
  ["any order", "a\nb\n", "@@\n-b\n+y\n@@\n-a\n+x", ["x\ny\n", "exact"]],
  ["open end stays open", "a\nb", "@@\n a\n-b\n+c\n+d", ["a\nc\nd", "line_ending"]],
  ["end of file", "a\nb\na\n", "@@\n-a\n+c\n*** End of File", ["a\nb\nc\n", "exact"]],
  ["not at the end of file", "a\nb\n", "@@\n-a\n+c\n*** End of File", "not_found"],
  ["bare empty line is context", "a\n\nb\n", "@@\n a\n\n-b\n+c", ["a\n\nc\n", "exact"]],
  ["or a gap", "a\nb\n", "@@\n-a\n+c\n\n@@\n-b\n+d", ["c\nd\n", "exact"]],
  ["first hunk without its line", "a\n", "-a\n+b", ["b\n", "exact"]],
  ["line numbers", "a\nb\n", "@@\n 1| a\n-2| b\n+2| c", ["a\nc\n", "transport"]],
  ["context only", "a\n", "@@\n a", "no_change"],
  ["twice in the file", "a\na\n", "@@\n-a\n+b", "ambiguous"],
  ["indentation by one rule", "\ta\n\tb\n", "@@\n     a\n-    b\n+    c", [
    "\ta\n\tc\n",
    "indentation",
  ]],
  ["indentation by none", "a\nb\n", "@@\n a\n-  b\n+  c", "not_found"],
  ["an omission comment", "a\nb\n", "@@\n a\n-b\n+# ...", "placeholder"],
]);

Deno.test("parseCodex() reads every kind of file", () => {
  const patch = "\n*** Begin Patch \n*** Add File: new.txt\n+a\n+\n*** Delete File: old.txt\n" +
    "*** Update File: from.txt\n*** Move to: to.txt\n@@ x\n-a\n+b\n*** End of File\n" +
    "*** Update File: here.txt\n*** Move to: there.txt\n*** End Patch\n";
  deepStrictEqual(parseCodex(patch), [
    { kind: "add", path: "new.txt", text: "a\n\n" },
    { kind: "delete", path: "old.txt" },
    {
      kind: "update",
      path: "from.txt",
      moveTo: "to.txt",
      hunks: [{
        anchors: ["x"],
        lines: [{ kind: "removed", text: "a" }, { kind: "added", text: "b" }],
        atEnd: true,
      }],
    },
    { kind: "update", path: "here.txt", moveTo: "there.txt", hunks: [] },
  ]);
});

Deno.test("parseCodex() refuses", async (t) => {
  const cases: [name: string, patch: string, line: number][] = [
    ["no begin", "*** Update File: f\n@@\n-a\n+b\n*** End Patch", 1],
    ["text before", "Patch:\n" + update("@@\n-a"), 1],
    ["text behind", update("@@\n-a") + "Done.\n", 6],
    ["no end", update("@@\n-a").slice(0, -6), 5],
    ["no file", "*** Begin Patch\n*** End Patch", 3],
    ["no path", "*** Begin Patch\n*** Delete File: \n*** End Patch", 2],
    ["no hunk", "*** Begin Patch\n*** Update File: f\n*** End Patch", 3],
    ["no lines in a hunk", update("@@ a"), 4],
    ["unknown prefix", update("@@\n-a\n*b"), 5],
    ["unknown verb", "*** Begin Patch\n*** Rename File: f\n*** End Patch", 2],
    ["added line without sign", "*** Begin Patch\n*** Add File: f\na\n*** End Patch", 3],
    ["move in the middle", update("@@\n-a\n*** Move to: g"), 5],
  ];
  for (const [name, patch, line] of cases) {
    await t.step(name, () => {
      const answer = parseCodex(patch);
      const seen = isRefusal(answer)
        ? [answer.reason, /^line (\d+) /.exec(answer.detail)?.[1]]
        : answer;
      deepStrictEqual(seen, ["malformed", String(line)]);
    });
  }
});
