import { deepStrictEqual } from "node:assert/strict";
import { glob } from "../../tools/glob.ts";
import { grep } from "../../tools/grep.ts";
import { listDir } from "../../tools/list_dir.ts";
import { callTool, fileHouse } from "../helpers/file_tools.ts";

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${10_000 + at}`, "x"]));

Deno.test("list_dir numbers and describes the entries", async () => {
  await using house = await fileHouse({ "b.txt": "12345", "a/x": "", "two\nlines": "" });
  await Deno.symlink("a", house.join("link"));
  const { text, value } = await callTool(listDir, {}, house);
  deepStrictEqual(text.split("\n"), [
    "     1\ta/",
    "     2\tb.txt (5 bytes)",
    "     3\tlink (link)",
    '     4\t"two\\nlines" (0 bytes)',
  ]);
  deepStrictEqual(value, {
    ok: true,
    kind: "folder",
    path: ".",
    entries: [
      { name: "a", kind: "folder", size: 0 },
      { name: "b.txt", kind: "file", size: 5 },
      { name: "link", kind: "link", size: 0 },
      { name: "two\nlines", kind: "file", size: 0 },
    ],
    total: 4,
  });
});

Deno.test("list_dir of an empty, a long, a missing and a foreign folder", async () => {
  await using house = await fileHouse({ ...many(1_001), "empty/": "" });
  deepStrictEqual((await callTool(listDir, { path: "empty" }, house)).text, "[empty is empty]");
  const { text } = await callTool(listDir, { path: "." }, house);
  const spill = house.dir.join("session/call_1.txt");
  deepStrictEqual(text.split("\n").at(-1), `[1000 of 1002 entries shown, all in ${spill}]`);
  deepStrictEqual((await Deno.readTextFile(spill)).split("\n").length, 1_003);
  deepStrictEqual(
    (await callTool(listDir, { path: "emty" }, house)).text,
    "not_a_folder: emty is not there; did you mean empty?",
  );
  deepStrictEqual(
    (await callTool(listDir, { path: "/" }, house)).text,
    "denied: path traversal: / resolves to /, outside the workspace",
  );
});

Deno.test("glob finds by path", async (t) => {
  await using house = await fileHouse({
    "a.ts": "",
    "src/b.ts": "",
    "src/c.js": "",
    ".x/d.ts": "",
  });
  const cases: [args: object, want: string][] = [
    [{ pattern: "**/*.ts" }, "     1\ta.ts\n     2\tsrc/b.ts"],
    [{ pattern: "*.js", path: "src" }, "     1\tsrc/c.js"],
    [{ pattern: "**/d.ts", hidden: true }, "     1\t.x/d.ts"],
    [{ pattern: "*.js" }, "[no match; in all folders: **/*.js]"],
    [{ pattern: "**/*.md" }, "[no match]"],
    [{ pattern: "*", path: "scr" }, "not_a_folder: scr is not there; did you mean src?"],
  ];
  for (const [args, want] of cases) {
    await t.step(JSON.stringify(args), async () => {
      deepStrictEqual((await callTool(glob, args, house)).text, want);
    });
  }
});

Deno.test("glob and grep show 200 and spill the rest", async () => {
  await using house = await fileHouse(many(250));
  const spill = house.dir.join("session/call_1.txt");
  for (
    const call of [callTool(glob, { pattern: "*" }, house), callTool(grep, { pattern: "x" }, house)]
  ) {
    const { text } = await call;
    deepStrictEqual(text.split("\n").length, 201);
    deepStrictEqual(text.split("\n").at(-1), `[200 of 250 matches shown, all in ${spill}]`);
    deepStrictEqual((await Deno.readTextFile(spill)).split("\n").length, 251);
  }
});

Deno.test("a spill of over 10,000 matches is cut, and says so", async () => {
  await using house = await fileHouse({ "a": "x\n".repeat(12_000) });
  const { text } = await callTool(grep, { pattern: "x" }, house);
  const spill = house.dir.join("session/call_1.txt");
  deepStrictEqual(
    text.split("\n").at(-1),
    `[200 of 12000 matches shown, the first 10000 in ${spill}]`,
  );
});

Deno.test("grep shows rows, context and refusals", async (t) => {
  await using house = await fileHouse({ "a.ts": "1\nfoo\n3\n4\n5\nFoo\n", "b.js": "foo" });
  const cases: [args: object, want: string][] = [
    [{ pattern: "foo" }, "a.ts:2:foo\nb.js:1:foo"],
    [{ pattern: "foo", include: "*.ts", ignore_case: true }, "a.ts:2:foo\na.ts:6:Foo"],
    [{ pattern: "foo", path: "b.js" }, "b.js:1:foo"],
    [
      { pattern: "foo", path: "a.ts", ignore_case: true, context: 1 },
      "a.ts-1-1\na.ts:2:foo\na.ts-3-3\n--\na.ts-5-5\na.ts:6:Foo",
    ],
    [{ pattern: "none" }, "[no match]"],
    [{ pattern: "foo", path: "b.ts" }, "not_a_file: b.ts is not there; did you mean a.ts or b.js?"],
  ];
  for (const [args, want] of cases) {
    await t.step(JSON.stringify(args), async () => {
      deepStrictEqual((await callTool(grep, args, house)).text, want);
    });
  }
  await t.step("a pattern that is none", async () => {
    deepStrictEqual(
      (await callTool(grep, { pattern: "a(" }, house)).text,
      "bad_pattern: a( is no regular expression (Unterminated group): " +
        "put a backslash before a sign that stands for itself",
    );
  });
});
