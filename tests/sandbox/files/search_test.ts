import { deepStrictEqual } from "node:assert/strict";
import { CommandError } from "../../../sandbox/commands/commands.ts";
import { MAX_HIT_CHARS, type SearchQuery } from "../../../sandbox/files/files.ts";
import { createFiles } from "../../../sandbox/files/guarded_files.ts";
import type { RunRipgrep } from "../../../sandbox/files/ripgrep.ts";
import { openCells, type OpenFiles, testFiles } from "../../helpers/both_files.ts";
import { findRipgrep } from "../../helpers/ripgrep.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const ripgrep = await findRipgrep();

/** Hits as `path:line:text`, with "-" for lines of context. */
async function search(
  root: string,
  query: Partial<SearchQuery>,
  open: OpenFiles,
): Promise<string[] | string> {
  const files = open({ roots: { workspace: root }, cwd: () => root });
  const found = await files.search({ path: ".", pattern: "x", limit: 100, ...query });
  if (!found.ok) return found.reason;
  const rows = found.hits.map(({ path, line, text, kind }) => {
    const sign = kind === "match" ? ":" : "-";
    return `${path}${sign}${line}${sign}${text}`;
  });
  return found.total === found.hits.filter(({ kind }) => kind === "match").length
    ? rows
    : [...rows, `total ${found.total}`];
}

type Case = [
  name: string,
  files: Record<string, string | Uint8Array>,
  query: Partial<SearchQuery>,
  want: string[] | string,
];

const long = `${"a".repeat(3_000)}NEEDLE${"b".repeat(3_000)}`;

const CASES: readonly Case[] = [
  ["lines by path and number", { "b": "no\nx1\nx2\n", "a": "x3" }, {}, [
    "a:1:x3",
    "b:2:x1",
    "b:3:x2",
  ]],
  ["nothing", { "a": "b" }, {}, []],
  ["one file, though ignored", { ".gitignore": "a\n", "a": "x", "b": "x" }, { path: "a" }, [
    "a:1:x",
  ]],
  ["ignored and dot files left out", { ".gitignore": "a\n", "a": "x", ".b": "x", "c": "x" }, {}, [
    "c:1:x",
  ]],
  [
    "ignored and dot files on demand",
    {
      ".gitignore": "a\n",
      "a": "x",
      ".b": "x",
      ".git/c": "x",
    },
    { hidden: true },
    [".b:1:x", "a:1:x"],
  ],
  [".cordonignore", { ".cordonignore": "a\n", "a": "x", "b": "x" }, {}, ["b:1:x"]],
  ["include by name", { "a.ts": "x", "sub/b.ts": "x", "c.js": "x" }, { include: "*.ts" }, [
    "a.ts:1:x",
    "sub/b.ts:1:x",
  ]],
  ["include by path", { "a.ts": "x", "sub/b.ts": "x" }, { include: "sub/**" }, ["sub/b.ts:1:x"]],
  ["case", { "a": "X\nx" }, {}, ["a:2:x"]],
  ["ignore case", { "a": "É\ne\né" }, { pattern: "é", ignoreCase: true }, ["a:1:É", "a:3:é"]],
  ["context, joined and apart", { "a": "1\n2x\n3\n4x\n5\n6\n7\n8x\n" }, { context: 1 }, [
    "a-1-1",
    "a:2:2x",
    "a-3-3",
    "a:4:4x",
    "a-5-5",
    "a-7-7",
    "a:8:8x",
  ]],
  ["limit", { "a": "x1\nx2\nc\n", "b": "x3\nx4" }, { limit: 3 }, [
    "a:1:x1",
    "a:2:x2",
    "b:1:x3",
    "total 4",
  ]],
  ["limit with context", { "a": "x1\nc\nd\nx2\n" }, { limit: 1, context: 1 }, [
    "a:1:x1",
    "a-2-c",
    "total 2",
  ]],
  ["CRLF", { "a": "x\r\nyx\r\n" }, { pattern: "x$" }, ["a:1:x", "a:2:yx"]],
  ["BOM", { "a": "\uFEFFx\n" }, { pattern: "^x" }, ["a:1:x"]],
  ["UTF-16", { "a": Uint8Array.of(0xff, 0xfe, 0x78, 0, 0x0a, 0, 0x79, 0) }, {}, ["a:1:x"]],
  [
    "binary left out, also where the match comes first",
    {
      "a": Uint8Array.of(0x78, 0x0a, 0, 0x0a),
      "b": `x\n${"y\n".repeat(100_000)}\0\n`,
      "c": "x",
    },
    {},
    ["c:1:x"],
  ],
  ["bytes that are no UTF-8", { "a": Uint8Array.of(0x78, 0xff, 0x0a) }, {}, ["a:1:x\uFFFD"]],
  ["empty lines and no end of line", { "a": "\n\nx" }, { pattern: "^$" }, ["a:1:", "a:2:"]],
  ["a long line is cut around the match", { "a": long }, { pattern: "NEEDLE" }, [
    `a:1:…${long.slice(3_000 - MAX_HIT_CHARS / 5, 3_000 + MAX_HIT_CHARS * 4 / 5)}…`,
  ]],
  ["names", { " -rf": "x", 'q"uote': "x", "line\nbreak": "x", "日本語": "x" }, {}, [
    " -rf:1:x",
    "line\nbreak:1:x",
    'q"uote:1:x',
    "日本語:1:x",
  ]],
  ["a pattern that begins with a dash", { "a": "-x" }, { pattern: "-x" }, ["a:1:-x"]],
  ["classes of Unicode", { "a": "é1\n-\n٣\n" }, { pattern: String.raw`^\w\d|^\d$` }, [
    "a:1:é1",
    "a:3:٣",
  ]],
  ["borders of words", { "a": "xé\nx-\n" }, { pattern: String.raw`x\b` }, ["a:2:x-"]],
  ["a dot is anything", { "a": "a\u2028b" }, { pattern: "a.b" }, ["a:1:a\u2028b"]],
  ["named groups, POSIX classes", { "a": "x1\nxy" }, { pattern: "(?P<n>x)[[:digit:]]" }, [
    "a:1:x1",
  ]],
  ["flags within", { "a": "X" }, { pattern: "(?i)x" }, ["a:1:X"]],
  ["a look ahead, which ripgrep cannot do", { "a": "xy\nxz" }, { pattern: "x(?=z)" }, ["a:2:xz"]],
  ["an escaped sign", { "a": 'x-"y"' }, { pattern: String.raw`x\-\"` }, ['a:1:x-"y"']],
  ["a pattern that is none", { "a": "x" }, { pattern: "(" }, "bad_pattern"],
  ["not there", {}, { path: "nope" }, "not_a_file"],
  ["outside", {}, { path: ".." }, "denied"],
];

/** Our own search, through ripgrep. */
function through(run: RunRipgrep): OpenFiles {
  return (options) => createFiles({ ...options, search: run });
}

testFiles("search() by own search", async (open, t) => {
  await searchCases(open, t);
});

Deno.test("search() by ripgrep (needs rg)", { ignore: !ripgrep }, async (t) => {
  if (ripgrep) await searchCases(through(ripgrep), t);
});

Deno.test("search() by ripgrep (cell) (needs rg)", { ignore: !ripgrep }, async (t) => {
  await using cells = await openCells(true);
  await searchCases(cells.open, t);
});

async function searchCases(open: OpenFiles, t: Deno.TestContext): Promise<void> {
  for (const [name, files, query, want] of CASES) {
    await t.step(name, async () => {
      await using dir = await tempDir(files);
      deepStrictEqual(await search(dir.path, query, open), want);
    });
  }
  await t.step("links are not followed", async () => {
    await using dir = await tempDir({ "ws/a": "x", "outside/b": "x" });
    await Deno.symlink("../outside", dir.join("ws/out"));
    await Deno.symlink("../outside/b", dir.join("ws/out_file"));
    deepStrictEqual(await search(dir.join("ws"), {}, open), ["a:1:x"]);
  });
  await t.step("more files than one command line holds", async () => {
    await using dir = await tempDir({});
    const folder = dir.join("n".repeat(200));
    await Deno.mkdir(folder);
    const names = Array.from({ length: 1_000 }, (_, index) => `f${index}`).sort();
    for (const name of names) Deno.writeTextFileSync(`${folder}/${name}`, "x\n");
    const found = await search(dir.path, { limit: 5_000 }, open);
    deepStrictEqual(found, names.map((name) => `${"n".repeat(200)}/${name}:1:x`));
  });
  await t.step("many matches in many files keep the first", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`f${10 + index}`, "x\n".repeat(10)]),
    );
    await using dir = await tempDir(files);
    deepStrictEqual(await search(dir.path, { limit: 2 }, open), [
      "f10:1:x",
      "f10:2:x",
      "total 600",
    ]);
  });
}

Deno.test("search() without a startable ripgrep searches all the same", async () => {
  await using dir = await tempDir({ "a": "x" });
  const run = () => Promise.reject(new CommandError('Cannot start "rg"'));
  deepStrictEqual(await search(dir.path, {}, through(run)), ["a:1:x"]);
});
