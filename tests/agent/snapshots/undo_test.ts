import { deepStrictEqual, notDeepStrictEqual } from "node:assert/strict";
import { undoWorld } from "../../helpers/undo_world.ts";

Deno.test("undo brings the bytes and modes of before, redo those of after", async (t) => {
  const cases: [name: string, before: string, change: string][] = [
    ["a file that a command made", ":", "mkdir -p a/b && echo x > a/b/new"],
    ["a file that a command changed", "echo one > f", "echo two >> f"],
    ["a change of the same length", "echo one > f", "printf 'two\\n' > f"],
    [
      "the same length, and the old time set again",
      "echo one > f",
      "touch -r f r; echo two > f; touch -r r f; rm r",
    ],
    ["a deleted file", "echo one > f", "rm f"],
    ["a deleted folder", "mkdir -p d/e/empty && echo one > d/e/f", "rm -r d"],
    [
      "an empty file, and an empty folder",
      "touch e && mkdir d",
      "rm e && rmdir d && touch g && mkdir h",
    ],
    ["binary content", "printf '\\0\\1\\377' > b", "printf '\\377\\0\\2' > b"],
    [
      "content that does not shrink",
      "head -c 100000 /dev/urandom > b",
      "head -c 90000 /dev/urandom > b",
    ],
    ["a mode", "echo one > f && chmod 640 f", "chmod 755 f"],
    ["a mode of a folder", "mkdir d && touch d/f", "chmod 700 d"],
    ["mode and content", "echo one > f", "echo two > f; chmod 600 f"],
    ["a read-only file", "echo one > f && chmod 444 f", "rm -f f; echo two > f; chmod 400 f"],
    [
      "a file in a read-only folder",
      "mkdir d && echo one > d/f && chmod 555 d",
      "chmod 755 d; echo two > d/f; echo new > d/g; chmod 555 d",
    ],
    [
      "a folder that was made read-only",
      "mkdir -p d/e && echo one > d/e/f",
      "echo two > d/e/f; rm -f d/x; chmod 555 d/e d",
    ],
    [
      "a read-only folder that is deleted",
      "mkdir d && echo one > d/f && chmod 555 d",
      "chmod 755 d; rm -r d",
    ],
    ["a link", ":", "ln -s nowhere l"],
    ["a link that leads elsewhere", "ln -s one l", "ln -sfn two l"],
    ["a deleted link", "ln -s one l", "rm l"],
    ["a link in place of a file", "echo one > f", "rm f; ln -s /etc/hostname f"],
    ["a file in place of a link", "echo one > t; ln -s t f", "rm f; echo two > f"],
    [
      "a link in place of a folder",
      "mkdir d e && echo one > d/f && echo two > e/f",
      "rm -r d; ln -s e d",
    ],
    ["a folder in place of a file", "echo one > f", "rm f; mkdir f; echo two > f/g"],
    ["a file in place of a folder", "mkdir -p f/d && echo one > f/d/g", "rm -r f; echo two > f"],
    ["a folder that was moved", "mkdir -p a/b && echo one > a/b/f", "mv a z"],
    [
      "names of all kinds",
      "echo 1 > '-n'; echo 2 > \"a b'c\\\"\"; echo 3 > $'new\\nline'; echo 4 > ĉ️🙂; echo 5 > constructor; echo 6 > __proto__; mkdir '*'; echo 7 > '*/\\'; echo 8 > $'\\ufeffbom'",
      "for f in *; do [ -f \"$f\" ] && echo more >> \"$f\"; done; rm -r '*'; rm ./-n; mkdir __proto__x; touch $'\\t'",
    ],
    ["a name as long as can be", `touch ${"n".repeat(255)}`, `echo x > ${"n".repeat(255)}`],
    [
      "an ignored file, and a small ignored folder",
      "printf '.env\\nout/\\n' > .gitignore; echo KEY=1 > .env; mkdir out; echo one > out/f",
      "rm -r .env out; mkdir out; echo new > out/g",
    ],
    [
      "what the change itself hides",
      "mkdir src && echo one > src/f",
      "echo src/ > .gitignore; echo two > src/f; for i in $(seq 300); do touch src/$i; done; rm src/*[0-9]",
    ],
    [
      "hidden files",
      "mkdir .config && echo one > .config/.f",
      "echo two > .config/.f; echo x > .new",
    ],
    [
      "a nested repository's files",
      "mkdir -p sub/.git && echo ref > sub/.git/HEAD && echo one > sub/f",
      "echo two > sub/f",
    ],
  ];
  for (const [name, before, change] of cases) {
    await t.step(name, async () => {
      await using world = await undoWorld();
      await world.shell(before);
      const session = await world.newSession();
      const old = await world.files();
      await session.task(() => world.shell(change));
      const changed = await world.files();
      notDeepStrictEqual(changed, old);
      for (const round of [1, 2]) {
        deepStrictEqual((await session.undo()).kept, [], `undo ${round}`);
        deepStrictEqual(await world.files(), old, `undo ${round}`);
        deepStrictEqual((await session.redo()).kept, [], `redo ${round}`);
        deepStrictEqual(await world.files(), changed, `redo ${round}`);
      }
    });
  }
});
