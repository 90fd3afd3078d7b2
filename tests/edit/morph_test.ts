import { deepStrictEqual } from "node:assert/strict";
import { verifyMerge } from "../../edit/morph.ts";
import { applyChanges } from "../../edit/rewrite.ts";

const FILE = "import a\n\nf() {\n  one\n  two\n}\n\ng() {\n  three\n}\n";

function outcome(original: string, update: string, merged: string): string {
  const answer = verifyMerge({ original, update, merged });
  if (!answer.ok) return answer.reason;
  deepStrictEqual(applyChanges(original, answer.changes), answer.text);
  return answer.text;
}

Deno.test("verifyMerge()", async (t) => {
  const inside = "// ... existing code ...\nf() {\n  zwei\n}\n// ... existing code ...\n";
  const merged = FILE.replace("  one\n  two\n", "  zwei\n");
  const cases: [name: string, original: string, update: string, merged: string, want: string][] = [
    ["lines of the update between its lines", FILE, inside, merged, merged],
    [
      "a function that was not to change",
      FILE,
      inside,
      merged.replace("three", "drei"),
      "unverified",
    ],
    ["a function that went", FILE, inside, merged.replace("g() {\n  three\n}\n", ""), "unverified"],
    ["a line that nobody asked for", FILE, inside, merged + "extra\n", "unverified"],
    [
      "an omission comment left",
      FILE,
      inside,
      "// ... existing code ...\n" + merged,
      "placeholder",
    ],
    ["an omission comment of the file", "# ...\na\n", "# ...\nb\n", "# ...\nb\n", "# ...\nb\n"],
    ["nothing left", FILE, inside, "\n", "unverified"],
    ["nothing changed", FILE, inside, FILE, "no_change"],
    [
      "an insertion beside kept code",
      FILE,
      "// ...\nimport b\n// ...\n",
      "import b\n" + FILE,
      "import b\n" + FILE,
    ],
    ["an exchange beside kept code", "a\nb\nc\n", "# ...\nB\n# ...\n", "a\nB\nc\n", "a\nB\nc\n"],
    [
      "more goes than comes beside kept code",
      "a\nb\nx\nc\n",
      "# ...\nB\n# ...\n",
      "a\nB\nc\n",
      "unverified",
    ],
    ["a line of the update many times", "a\n", "a\nb\n", "a\nb\nb\nb\n", "unverified"],
    ["CRLF stays", "a\r\nb\r\n", "a\nc\n", "a\nc\n", "a\r\nc\r\n"],
    ["an open end stays", "a\nb", "a\nc", "a\nc\n", "a\nc"],
    ["a closed end stays", "a\nb\n", "a\nc", "a\nc", "a\nc\n"],
    ["a fence around the answer", "a\nb\n", "a\nc", "```ts\na\nc\n```\n", "a\nc\n"],
  ];
  for (const [name, original, update, answer, want] of cases) {
    await t.step(name, () => deepStrictEqual(outcome(original, update, answer), want));
  }
});
