import { strictEqual } from "node:assert/strict";
import { createLossCheck } from "../../../agent/gate/overwriting.ts";
import { createFiles } from "../../../sandbox/files/guarded_files.ts";
import { testShell } from "../../helpers/shell.ts";

Deno.test("createLossCheck()", async (t) => {
  await using house = await testShell();
  const { commands, workspace } = house;
  const run = (script: string) => commands.run(["bash", "-c", script], { timeoutMs: 20_000 });
  await run(
    "git init -q && echo t > tracked && git add tracked && : > empty && mkdir folder && " +
      "echo u > untracked && touch -d '2020-01-01' tracked untracked && echo n > new",
  );
  const files = createFiles({ roots: { workspace }, cwd: () => workspace });
  const check = createLossCheck({ files, commands, since: new Date("2021-01-01") });
  const cases: [name: string, paths: string[], want: string | undefined][] = [
    [
      "a file that git does not have is lost",
      ["untracked"],
      "it replaces untracked, which git does not have",
    ],
    ["one that git has is not", ["tracked"], undefined],
    ["nor one that the session made", ["new"], undefined],
    ["nor one that is not there", ["nowhere"], undefined],
    ["nor an empty one, nor a folder", ["empty", "folder"], undefined],
    [
      "the first that is lost is named",
      ["new", "untracked"],
      "it replaces untracked, which git does not have",
    ],
    [
      "too many are not looked up",
      Array.from({ length: 17 }, (_, i) => `f${i}`),
      "it replaces 17 files",
    ],
  ];
  for (const [name, paths, want] of cases) {
    await t.step(name, async () => strictEqual(await check(paths), want));
  }
});
