import { deepStrictEqual } from "node:assert/strict";
import { loadClassifier } from "../../../agent/shell/classifier.ts";

Deno.test("classify() splits a script into its statements", async (t) => {
  const classifier = await loadClassifier();
  const cases: [name: string, script: string, parts: string[]][] = [
    ["nothing", "", []],
    ["only a comment", "# ls\n", []],
    ["semicolons", "ls; pwd;", ["ls", "pwd"]],
    ["blank lines", "\n\nls\n\n  pwd  \n", ["ls", "pwd"]],
    ["lists stay whole", "a && b || c\nd | e", ["a && b || c", "d | e"]],
    ["lists over lines", "a &&\n  b |\n  c\nd", ["a &&\n  b |\n  c", "d"]],
    ["background", "a & b &\nc", ["a &", "b &", "c"]],
    ["comments", "# one\nls # two\n# three\npwd", ["ls", "pwd"]],
    ["a hash in a word", "echo a#b '#c'", ["echo a#b '#c'"]],
    ["a quoted line break", "echo 'a\nb'\nls", ["echo 'a\nb'", "ls"]],
    ["a here-document in a pipe", "cat <<A | wc\nx\nA\nls", ["cat <<A | wc\nx\nA", "ls"]],
    ["a here-document before another statement", "cat <<A; ls\nx\nA\nid", [
      "cat <<A\nx\nA",
      "ls",
      "id",
    ]],
    ["two here-documents", "cat <<A <<B\na\nA\nb\nB\nls", ["cat <<A <<B\na\nA\nb\nB", "ls"]],
    ["an odd delimiter", 'cat <<E"O"F\nx\nEOF\nls', ['cat <<E"O"F\nx\nEOF', "ls"]],
    ["a delimiter with tabs", "cat <<-A\n\tx\n\tA\nls", ["cat <<-A\n\tx\n\tA", "ls"]],
    ["a here-document in a substitution", 'a "$(cat <<A\nx\nA\n)"\nls', [
      'a "$(cat <<A\nx\nA\n)"',
      "ls",
    ]],
    ["no here-document in arithmetic", "echo $((1<<2))\nls", ["echo $((1<<2))", "ls"]],
    ["a function", "f() {\n  ls\n}\nf", ["f() {\n  ls\n}", "f"]],
    ["loops", "for i in a b; do\n  ls\ndone\nls", ["for i in a b; do\n  ls\ndone", "ls"]],
    ["a case", "case a in\n a) ls;;\nesac\nls", ["case a in\n a) ls;;\nesac", "ls"]],
    ["a group with a redirection", "{ ls\nid; } > f\nls", ["{ ls\nid; } > f", "ls"]],
    ["both ways", "cat 0<> a\nls", ["cat 0<> a", "ls"]],
    ["an array over lines", "a=(1\n2)\nls", ["a=(1\n2)", "ls"]],
    ["unfinished", "ls\nif a; then", []],
  ];
  for (const [name, script, parts] of cases) {
    await t.step(name, () => deepStrictEqual(classifier.classify(script).parts, parts));
  }
});
