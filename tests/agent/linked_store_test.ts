import { strictEqual } from "node:assert/strict";
import { linkedStore } from "../../agent/linked_store.ts";
import { git, makeRepository } from "../helpers/git.ts";
import { tempDir } from "../helpers/temp_dir.ts";

Deno.test("linkedStore() is where git's data lies, of worktrees and submodules alone", async (t) => {
  await using dir = await tempDir({
    "main/a": "a",
    "lib/b": "b",
    "plain/": "",
    "gone/.git": "gitdir: ../nowhere\n",
    "rubbish/.git": "\0gitdir\n",
  });
  const [main, linked] = [dir.join("main"), dir.join("a linked 日本")];
  await makeRepository(main);
  await makeRepository(dir.join("lib"));
  await git(main, "worktree", "add", "-q", "-b", "linked", linked);
  const allowed = ["-c", "protocol.file.allow=always"];
  await git(main, ...allowed, "submodule", "add", "-q", dir.join("lib"), "sub");
  const cases: [folder: string, store: string | undefined][] = [
    [linked, dir.join("main/.git")],
    [dir.join("main/sub"), dir.join("main/.git/modules/sub")],
    [main, undefined],
    [dir.join("plain"), undefined],
    [dir.join("gone"), undefined],
    [dir.join("rubbish"), undefined],
    [dir.join("missing"), undefined],
  ];
  for (const [folder, store] of cases) {
    await t.step(folder.slice(dir.path.length), () => strictEqual(linkedStore(folder), store));
  }
});
