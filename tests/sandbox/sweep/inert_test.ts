import { strictEqual } from "node:assert/strict";
import { isInert, isPlainGitConfig } from "../../../sandbox/sweep/inert.ts";

const CLONED = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[remote "origin"]
\turl = https://example.com/a/b.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
`;

Deno.test("isPlainGitConfig()", async (t) => {
  const cases: [name: string, text: string, want: boolean][] = [
    ["what clone writes", CLONED, true],
    ["nothing", "", true],
    ["comments", "# one\n; two\n[core]\n  # three\n", true],
    ["a submodule", `${CLONED}[submodule "a b"]\n\turl = git@host:a/b\n\tactive = true\n`, true],
    ["the folder of a submodule", "[core]\nworktree = ../../../sub\n", true],
    ["a key without value", "[core]\nbare\n", true],
    ["a local address", '[remote "o"]\nurl = ../up\n', true],
    ["a program", "[core]\nfsmonitor = touch x\n", false],
    ["a program in capitals", "[CORE]\nFsMonitor = touch x\n", false],
    ["hooks elsewhere", "[core]\nhooksPath = evil\n", false],
    ["another folder", "[core]\nworktree = /home\n", false],
    ["an include", "[include]\npath = ../evil\n", false],
    ["a conditional include", '[includeIf "gitdir:/"]\npath = ../evil\n', false],
    ["an alias", "[alias]\nst = !touch x\n", false],
    ["a filter", '[filter "x"]\nclean = touch x\n', false],
    ["a helper", "[credential]\nhelper = !touch x\n", false],
    ["an address that is a command", '[remote "o"]\nurl = ext::touch x\n', false],
    ["an address that is an option", '[remote "o"]\nurl = -oProxyCommand=x\n', false],
    ["a rewritten address", '[url "ext::touch x"]\ninsteadOf = https://\n', false],
    ["an upload program", '[remote "o"]\nuploadpack = touch x\n', false],
    ["on the line of its section", "[core] fsmonitor = x\n", false],
    ["behind a continued line", "[core]\nbare = a\\\nfsmonitor = x\n", false],
    ["behind a quote", '[core]\nbare = "a\nfsmonitor = x"\n', false],
    ["a subsection with an escape", '[remote "a\\"b"]\nfetch = x\n', false],
    ["before any section", "bare = true\n", false],
    ["a subsection that holds a newline", '[remote "a\n[core]\nfsmonitor=x\n"]\n', false],
  ];
  for (const [name, text, want] of cases) {
    await t.step(name, () => strictEqual(isPlainGitConfig(text), want));
  }
});

Deno.test("isInert()", async (t) => {
  const cases: [name: string, path: string, text: string, want: boolean][] = [
    ["a pointer to a worktree", "w/.git", "gitdir: /ws/.git/worktrees/w\n", true],
    ["a pointer to a submodule", "a/s/.git", "gitdir: ../../.git/modules/s\n", true],
    ["a pointer to a folder that is swept", "s/.git", "gitdir: ../other\n", true],
    ["a pointer elsewhere", "s/.git", "gitdir: /wsx/.git/worktrees/w\n", false],
    ["a pointer that climbs out", "s/.git", "gitdir: ../../x\n", false],
    ["a pointer that climbs out of the root", "s/.git", "gitdir: /ws/../x\n", false],
    ["a pointer into objects", "s/.git", "gitdir: ../.git/objects/x\n", false],
    ["no pointer", "s/.git", "x\n", false],
    ["folders for Python", "site-packages/a.pth", "# one\n/src\n", true],
    ["code for Python", "site-packages/a.pth", "/src\nimport os\n", false],
    ["code behind a form feed", "site-packages/a.pth", "/src\fimport os\n", false],
    ["code behind a byte order mark", "site-packages/a.pth", "\ufeffimport os\n", false],
    ["a rebase", "git-rebase-todo", "pick 1 a\n# exec\nfixup 2 b\n", true],
    ["a rebase that runs", "git-rebase-todo", "pick 1 a\nx touch x\n", false],
    ["anything else", ".envrc", "", false],
  ];
  for (const [name, path, text, want] of cases) {
    await t.step(
      name,
      () => strictEqual(isInert("/ws", path, new TextEncoder().encode(text)), want),
    );
  }
  await t.step("what is no text", () => {
    strictEqual(isInert("/ws", "config", new Uint8Array([0xff])), false);
  });
});
