import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { handleLine, type LineExtras } from "../../../agent/terminal/slash/handle.ts";
import { deskWorld } from "../../helpers/desk_world.ts";
import { PIXEL } from "../../helpers/pixel.ts";

Deno.test("files that a prompt mentions are attached", async (t) => {
  const files = {
    "work/a.txt": "one\n",
    "work/a,b.txt": "odd",
    "work/sub/my notes.md": "notes",
    "work/dot.png": PIXEL,
    "work/folder/x": "",
    "outside.txt": "outside",
  };
  await using world = await deskWorld(files, Array(20).fill({ text: "ok" }));
  const notes = '<file path="sub/my notes.md">\nnotes\n</file>';
  const outside = '<file path="../outside.txt">\noutside\n</file>';
  const cases: [prompt: string, attached: string[], told?: string][] = [
    ["see @a.txt, please", [fileA], "a.txt, 4 bytes"],
    ["see @a,b.txt", ['<file path="a,b.txt">\nodd\n</file>'], "a,b.txt, 3 bytes"],
    [`see @"sub/my notes.md"`, [notes], "sub/my notes.md, 5 bytes"],
    ["see @sub/my\\ notes.md", [notes], "sub/my notes.md, 5 bytes"],
    ["see @../outside.txt", [outside], "../outside.txt, 7 bytes"],
    ["@a.txt, @../outside.txt", [fileA, outside], "a.txt, 4 bytes; ../outside.txt, 7 bytes"],
    ["@override and @folder, @gone.txt", []],
  ];
  for (const [prompt, attached, told] of cases) {
    await t.step(prompt, async () => {
      strictEqual(await world.type(prompt), told ? `(attached ${told})\nok` : "ok");
      strictEqual(world.messages().at(-2), [prompt, ...attached].join("\n\n"));
    });
  }
  await t.step("an image as an image", async () => {
    match(await world.type("see @dot.png"), /^\(attached dot\.png, \d+ bytes\)\nok$/);
    strictEqual(world.messages().at(-2), "see @dot.png\n[image]");
  });
  await t.step("paths stand for the workspace, wherever the shell is", async () => {
    await world.type("!cd sub");
    await world.type("see @a.txt");
    match(world.messages().at(-2) ?? "", /<file path="a\.txt">\none/);
  });
});

Deno.test("what goes with a prompt becomes one text, and what was pasted mentions nothing", async (t) => {
  const files = { "work/a.txt": "one", "work/b.txt": "two", "work/dot.png": PIXEL };
  await using world = await deskWorld(files, Array(4).fill({ text: "ok" }));
  const block = { type: "text", text: "<file>block</file>" } as const;
  const cases: [name: string, line: string, extras: LineExtras, want: string][] = [
    ["blocks", "see @a.txt", { more: [block] }, `see @a.txt\n\n${block.text}\n\n${fileA}`],
    ["a block alone", "", { more: [block] }, block.text],
    ["a paste", "see @a.txt @b.txt", { typed: "see @a.txt  " }, `see @a.txt @b.txt\n\n${fileA}`],
  ];
  for (const [name, line, extras, want] of cases) {
    await t.step(name, async () => {
      await handleLine(line, world.desk, extras);
      strictEqual(world.messages().at(-2), want);
    });
  }
});

const fileA = `<file path="a.txt">\none\n</file>`;

Deno.test("a mention that cannot be attached is told, and the prompt goes on", async (t) => {
  const files = { "work/big.txt": "x".repeat(1_100_000), "work/bytes": new Uint8Array([0, 255]) };
  await using world = await deskWorld(files, Array(4).fill({ text: "ok" }));
  await Deno.writeTextFile(world.join("secret.txt"), "secret");
  await Deno.symlink(world.join("secret.txt"), world.join("work/link.txt"));
  const cases: [prompt: string, told: RegExp][] = [
    ["see @big.txt", /^! Cannot attach "big\.txt": it is over 1 MB.*\nok$/],
    ["see @bytes", /^! Cannot attach "bytes": it is neither.*\nok$/],
    ["see @link.txt", /^! Cannot attach "link\.txt": path traversal: .*\nok$/],
  ];
  for (const [prompt, told] of cases) {
    await t.step(prompt, async () => {
      match(await world.type(prompt), told);
      deepStrictEqual(world.messages().at(-2), prompt);
    });
  }
});
