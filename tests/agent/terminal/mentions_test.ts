import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { mentionOf, mentionsIn } from "../../../agent/terminal/mentions.ts";

Deno.test("mentionsIn()", async (t) => {
  const cases: [prompt: string, names: string[]][] = [
    ["@a.ts", ["a.ts"]],
    ["look at @a.ts, then (@b/c.ts).", ["a.ts", "b/c.ts"]],
    ["@a.ts @a.ts", ["a.ts"]],
    [`@"my file.txt": read it`, ["my file.txt"]],
    [`@"say \\"hi\\".txt"`, [`say "hi".txt`]],
    ["@my\\ file.txt!", ["my file.txt"]],
    ["line\n@a", ["a"]],
    ["mail me@example.org", []],
    ["@ alone, @@double, @", []],
    [`@"" and @"open`, []],
    ["@größe/日本.md", ["größe/日本.md"]],
  ];
  for (const [prompt, names] of cases) {
    await t.step(JSON.stringify(prompt), () => {
      deepStrictEqual(mentionsIn(prompt).map(({ name }) => name), names);
    });
  }
});

Deno.test("mentionOf() is found again by mentionsIn()", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !text.startsWith("@") && !text.includes("\n"));
  fc.assert(fc.property(name, (file) => {
    const [found, ...more] = mentionsIn(`see ${mentionOf(file)} and go`);
    deepStrictEqual([found, more], [{ name: file, longer: file }, []]);
  }));
});
