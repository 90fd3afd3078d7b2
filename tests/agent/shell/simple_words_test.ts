import { deepStrictEqual } from "node:assert/strict";
import { loadClassifier } from "../../../agent/shell/classifier.ts";

const classifier = await loadClassifier();

Deno.test("simpleWords() proves one simple command", async (t) => {
  const cases: [command: string, words: string[]][] = [
    ["npm test", ["npm", "test"]],
    ["  npm   test -- --watch  ", ["npm", "test", "--", "--watch"]],
    ["git commit -m 'fix: a b'", ["git", "commit", "-m", "fix: a b"]],
    ['git commit -m "a; rm -rf b"', ["git", "commit", "-m", "a; rm -rf b"]],
    ["npm \\\n test", ["npm", "test"]],
    ["./npm test", ["./npm", "test"]],
    ["make a=b", ["make", "a=b"]],
  ];
  for (const [command, words] of cases) {
    await t.step(command, () => deepStrictEqual(classifier.simpleWords(command), words));
  }
});

Deno.test("simpleWords() proves nothing of anything else", async (t) => {
  const commands = [
    "",
    "# npm test",
    "npm test # all",
    "npm test; rm a",
    "npm test\nrm a",
    "npm test && rm a",
    "npm test | tee a",
    "npm test &",
    "npm test > a",
    "npm test 2>&1",
    "npm test < a",
    "npm test <<< a",
    "npm test <<E\na\nE",
    "npm test $(rm a)",
    "npm test `rm a`",
    "npm test <(rm a)",
    "npm test $A",
    'npm test "$A"',
    "npm test *.ts",
    "npm test ~/a",
    "npm test {a,b}",
    "A=b npm test",
    "A=b",
    "(npm test)",
    "{ npm test; }",
    "! npm test",
    "if true; then npm test; fi",
    "npm() { rm a; }",
    "sh -c 'npm test'",
    "sudo npm test",
    "timeout 5 npm test",
    "xargs npm test",
    "npm 'test",
    "npm test\u00a0a",
    "npm test \u202ea",
    "npm test\r",
    `npm test ${"a".repeat(70_000)}`,
  ];
  for (const command of commands) {
    await t.step(JSON.stringify(command.slice(0, 40)), () => {
      deepStrictEqual(classifier.simpleWords(command), undefined);
    });
  }
});
