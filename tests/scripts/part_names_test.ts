import { deepStrictEqual, match, notStrictEqual, strictEqual } from "node:assert/strict";
import type { ArchiveFile } from "../../scripts/compile/archive.ts";
import { namedByContent } from "../../scripts/compile/part_names.ts";

/** Files of a bundle; the bundler's hashes are what differs from machine to machine. */
function bundle(texts: Readonly<Record<string, string>>, hashes: readonly string[]): ArchiveFile[] {
  const hashed = (text: string) => text.replaceAll(/#(\d)/g, (_, at) => hashes[Number(at)] ?? "");
  return Object.entries(texts)
    .map(([name, text]) => ({
      name: hashed(name),
      content: new TextEncoder().encode(hashed(text)),
    }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

const HERE = ["AAAAAAAA", "BBBBBBBB", "CCCCCCCC", "DDDDDDDD"];
const THERE = ["ZZ222222", "YY333333", "XX444444", "WW555555"];

function textsOf(files: readonly ArchiveFile[]): Record<string, string> {
  return Object.fromEntries(
    files.map(({ name, content }) => [name, new TextDecoder().decode(content)]),
  );
}

Deno.test("namedByContent() names parts alike, whatever the bundler called them", async (t) => {
  const cases: [name: string, texts: Record<string, string>][] = [
    ["a chain", {
      "main.js": `import { a } from "./chunk-#0.js"; import("./html-#1.js");`,
      "chunk-#0.js": `export const a = 1;`,
      "html-#1.js": `import { a } from "./chunk-#0.js"; console.log(a);`,
    }],
    ["parts that import each other", {
      "main.js": `import("./a-#0.js");`,
      "a-#0.js": `export const a = () => import("./a-#1.js");`,
      "a-#1.js": `export const b = () => import("./a-#0.js");`,
    }],
    ["parts that differ by what they import alone", {
      "main.js": `import("./dist-#0.js"); import("./dist-#1.js");`,
      "dist-#0.js": `export * from "./chunk-#2.js";`,
      "dist-#1.js": `export * from "./chunk-#3.js";`,
      "chunk-#2.js": `export const name = "two";`,
      "chunk-#3.js": `export const name = "three";`,
    }],
  ];
  for (const [name, texts] of cases) {
    await t.step(name, () => {
      const named = textsOf(namedByContent(bundle(texts, HERE)));
      deepStrictEqual(textsOf(namedByContent(bundle(texts, THERE))), named);
      const names = Object.keys(named);
      deepStrictEqual(names, [...names].sort());
      strictEqual(names.length, Object.keys(texts).length);
      for (const text of Object.values(named)) {
        for (const [, other = ""] of text.matchAll(/"\.\/(.+?)"/g)) {
          match(other, /^(chunk|html|a|dist)-[0-9a-f]{12}\.js$/);
          notStrictEqual(named[other], undefined, other);
        }
      }
    });
  }
});

Deno.test("namedByContent() gives a part another name when it says something else", () => {
  const nameFor = (text: string) => {
    const files = namedByContent(bundle({ "main.js": "", "part-#0.js": text }, HERE));
    return files.map(({ name }) => name).find((name) => name.startsWith("part-"));
  };
  strictEqual(nameFor("one"), nameFor("one"));
  notStrictEqual(nameFor("one"), nameFor("two"));
});

Deno.test("namedByContent() leaves names alone that are not the bundler's", () => {
  const texts = { "main.js": `import "./other.js"; import "./gone-#0.js";`, "other.js": "1" };
  deepStrictEqual(
    textsOf(namedByContent(bundle(texts, HERE))),
    textsOf(bundle(texts, HERE)),
  );
});
