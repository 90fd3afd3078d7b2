import { deepStrictEqual } from "node:assert/strict";
import { loadClassifier } from "../../../agent/shell/classifier.ts";

Deno.test("classify() tells which commands destroy something", async (t) => {
  const { classify } = await bound();
  const cases: [kind: string, destroys: boolean, ...commands: string[]][] = [
    ["folders", true, "rm -r a", "rm -rf build", "sudo rm -rf a", "ls | xargs rm", "rm *.o"],
    ["single files", false, "rm a.txt", "rm -f a b", "rmdir a", "ls"],
    ["git clean", true, "git clean -fd", "git -C a clean -fdx", "bash -c 'git clean -f'"],
    ["git clean, dry", false, "git clean -n", "git clean -nd", "git status"],
    [
      "git checkout",
      true,
      "git checkout -- .",
      "git checkout .",
      "git checkout -f",
      "git restore a",
    ],
    ["git branches", false, "git checkout main", "git switch x", "git restore --staged a"],
    ["git refs", true, "git branch -D a", "git stash drop", "git stash clear", "git push -d o a"],
    ["git kept", false, "git branch -d a", "git stash", "git push", "git rm --cached a"],
    ["find", true, "find . -delete", "find . -name x -exec rm -r {} +"],
    ["content", true, "truncate -s 0 a", "dd if=a of=b", "shred a", "mv -f a b"],
    ["nested", true, "echo $(rm -r a)", "f() { rm -r a; }", "for i in a; do rm -r $i; done"],
    ["text", false, "echo 'rm -r a'", "cat <<'EOF'\nrm -r a\nEOF"],
  ];
  for (const [kind, destroys, ...commands] of cases) {
    await t.step(kind, () => {
      for (const command of commands) {
        deepStrictEqual([command, classify(command).destructive], [command, destroys]);
      }
    });
  }
});

Deno.test("classify() lists every simple command", async (t) => {
  const { classify } = await bound();
  const cases: [command: string, commands: [program: string, ...args: string[]][]][] = [
    ["ls -l 'a b' | wc", [["ls", "-l", "a b"], ["wc"]]],
    ["/bin/cat $x ~/a", [["cat", "…", "~/a"]]],
    ["$x a", [["", "a"]]],
    ["echo $(id)", [["id"], ["echo", "…"]]],
    ["sudo sh -c 'ls a'", [["sudo", "sh", "-c", "ls a"], ["sh", "-c", "ls a"], ["ls", "a"]]],
    ["git -C a log", [["git", "log"]]],
    ["a=1", []],
  ];
  for (const [command, expected] of cases) {
    await t.step(command, () => {
      deepStrictEqual(
        classify(command).commands.map(({ program, args }) => [program, ...args]),
        expected,
      );
    });
  }
});

Deno.test("classify() lists what would be overwritten", async (t) => {
  const { classify } = await bound();
  const cases: [command: string, overwrites: string[]][] = [
    ["echo a > b 2> c", ["b", "c"]],
    ["echo a >> b", []],
    ["echo a > /dev/null", []],
    ["mv a b", ["b"]],
    ["mv -n a b", []],
    ["cp a b dir", ["dir"]],
    ["ls | tee a b", ["a", "b"]],
    ["ls | tee -a a", []],
    ["> a", ["a"]],
  ];
  for (const [command, overwrites] of cases) {
    await t.step(command, () => {
      deepStrictEqual(classify(command).commands.flatMap((fact) => fact.overwrites), overwrites);
    });
  }
});

async function bound() {
  const classifier = await loadClassifier();
  return { classify: (command: string) => classifier.classify(command) };
}
