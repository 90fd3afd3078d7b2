import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { appendFile } from "../../tools/append_file.ts";
import { writeFile } from "../../tools/write_file.ts";
import { snapshot, textsIn } from "../helpers/snapshot.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, planOf, runPlanned, runTool } from "../helpers/tool_calls.ts";

Deno.test("write_file makes a file with its folders", async () => {
  await using dir = await tempDir();
  const args = { path: "src/deep/a.ts", content: "one\ntwo" };
  const { value, text } = await runTool(writeFile, args, { files: filesIn(dir.path) });
  deepStrictEqual(value, {
    ok: true,
    path: "src/deep/a.ts",
    created: true,
    unchanged: false,
    newline_added: true,
    lines: 2,
    bytes: 8,
  });
  strictEqual(text, "Made src/deep/a.ts (2 lines, 8 bytes).\nA line break was added at its end.");
  deepStrictEqual(await textsIn(dir.path), { "src/deep/a.ts": "one\ntwo\n" });
});

Deno.test("write_file over a file", async (t) => {
  type Row = [name: string, before: string, content: string, after: string, text: RegExp];
  const long = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join("");
  const rows: Row[] = [
    ["replaces it", "old\n", "new\n", "new\n", /^Wrote f\.txt \(now 1 line, 4 bytes\)\.$/],
    ["adds the line break that the file uses", "a\r\nb\r\n", "c", "c\r\n", /line break was added/],
    ["keeps the byte order mark", "\uFEFFa\n", "b\n", "\uFEFFb\n", /^Wrote/],
    ["does not double the byte order mark", "\uFEFFa\n", "\uFEFFb\n", "\uFEFFb\n", /^Wrote/],
    ["leaves equal content alone", "same\n", "same\n", "same\n", /^\[unchanged\]/],
    ["empties it", "a\n", "", "", /now 0 lines/],
    [
      "says when a patch would do",
      long,
      long.replace("line 3", "LINE 3"),
      long.replace("line 3", "LINE 3"),
      /patch or edit_file is cheaper/,
    ],
  ];
  for (const [name, before, content, after, told] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "f.txt": before });
      const { text } = await runTool(writeFile, { path: "f.txt", content }, {
        files: filesIn(dir.path),
      });
      match(text, told);
      strictEqual((await textsIn(dir.path))["f.txt"], after);
    });
  }
});

Deno.test("write_file leaves equal content untouched on the disk", async () => {
  await using dir = await tempDir({ "f.txt": "same\n" });
  await Deno.utime(dir.join("f.txt"), 1_000, 1_000);
  const files = filesIn(dir.path);
  const args = { path: "f.txt", content: "same\n" };
  deepStrictEqual((await planOf(writeFile, args, { files })).touches, [
    { kind: "read", path: "f.txt" },
  ]);
  const { value } = await runTool(writeFile, args, { files });
  strictEqual(value.unchanged, true);
  strictEqual((await Deno.stat(dir.join("f.txt"))).mtime?.getTime(), 1_000_000);
});

Deno.test("write_file and append_file refuse, and change nothing", async (t) => {
  const rows: [name: string, path: string, content: string, reason: string][] = [
    ["a folder", "src", "x\n", "not_a_file"],
    ["a name of a folder", "new/", "x\n", "not_a_folder"],
    ["a place below a file", "f.txt/new.txt", "x\n", "not_a_folder"],
    ["code left out", "f.txt", "a\n# ... rest\n", "placeholder"],
    ["a binary file", "data.bin", "x\n", "binary"],
    ["a file in another encoding", "latin1.txt", "x\n", "encoding"],
    ["a path outside", "../x.txt", "x\n", "denied"],
    ["half of a character", "f.txt", "\ude00\n", "encoding"],
  ];
  for (const tool of [writeFile, appendFile]) {
    for (const [name, path, content, reason] of rows) {
      await t.step(`${tool.name}: ${name}`, async () => {
        await using dir = await tempDir({
          "f.txt": "one\n",
          "src/": "",
          "data.bin": Uint8Array.from([1, 0, 2]),
          "latin1.txt": Uint8Array.from([0xe9]),
        });
        const before = await snapshot(dir.path);
        const { value, text } = await runTool(tool, { path, content }, {
          files: filesIn(dir.path),
        });
        strictEqual(value.reason, reason);
        ok(text.endsWith(`\n[not edited: ${reason}]`), text);
        deepStrictEqual(await snapshot(dir.path), before);
      });
    }
  }
});

Deno.test("write_file cannot run without a path", async () => {
  await using dir = await tempDir();
  const files = filesIn(dir.path);
  const { isError, text } = await runTool(writeFile, { path: "", content: "x" }, { files });
  strictEqual(isError, true);
  match(text, /path/);
});

Deno.test("write_file shows a person what it would write", async (t) => {
  await t.step("a new file", async () => {
    await using dir = await tempDir();
    const args = { path: "a.txt", content: "one\n" };
    const plan = await planOf(writeFile, args, { files: filesIn(dir.path) });
    strictEqual(plan.preview, "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+one\n");
    deepStrictEqual(plan.touches, [{ kind: "write", path: "a.txt" }]);
  });
  await t.step("a file that is there", async () => {
    await using dir = await tempDir({ "a.txt": "one\n" });
    const args = { path: "a.txt", content: "1\n" };
    const plan = await planOf(writeFile, args, { files: filesIn(dir.path) });
    strictEqual(plan.preview, "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n");
  });
});

Deno.test("write_file does not overwrite what came after it looked", async (t) => {
  const args = { path: "f.txt", content: "mine\n" };
  for (const [name, before] of [["a changed file", "old\n"], ["a new file", undefined]] as const) {
    await t.step(name, async () => {
      await using dir = await tempDir(before === undefined ? {} : { "f.txt": before });
      const files = filesIn(dir.path);
      const plan = await planOf(writeFile, args, { files });
      await Deno.writeTextFile(dir.join("f.txt"), "theirs\n");
      const { value } = await runPlanned(writeFile, args, { files }, plan);
      strictEqual(value.reason, "stale");
      deepStrictEqual(await textsIn(dir.path), { "f.txt": "theirs\n" });
    });
  }
});

Deno.test("append_file", async (t) => {
  type Row = [name: string, before: string | undefined, content: string, after: string];
  const rows: Row[] = [
    ["makes the file", undefined, "one", "one\n"],
    ["adds the line break before and after", "one", "two", "one\ntwo\n"],
    ["takes the file's line ending", "a\r\nb\r\n", "c\nd\n", "a\r\nb\r\nc\r\nd\r\n"],
    ["keeps the byte order mark", "\uFEFFa\n", "b\n", "\uFEFFa\nb\n"],
    ["leaves the file alone where there is nothing to add", "one", "", "one"],
  ];
  for (const [name, before, content, after] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir(before === undefined ? {} : { "f.txt": before });
      const { value } = await runTool(appendFile, { path: "f.txt", content }, {
        files: filesIn(dir.path),
      });
      strictEqual(value.ok, true);
      deepStrictEqual(await textsIn(dir.path), { "f.txt": after });
    });
  }
});

Deno.test("append_file loses nothing of what is appended at the same time", async (t) => {
  for (const before of ["start\n", undefined]) {
    await t.step(before === undefined ? "to no file yet" : "to a file", async () => {
      await using dir = await tempDir(before === undefined ? {} : { "log.txt": before });
      const files = filesIn(dir.path);
      const lines = Array.from({ length: 12 }, (_, line) => `line ${line}`);
      await Promise.all(
        lines.map((content) => runTool(appendFile, { path: "log.txt", content }, { files })),
      );
      const text = await Deno.readTextFile(dir.join("log.txt"));
      strictEqual(text.startsWith(before ?? ""), true);
      deepStrictEqual(text.slice(before?.length ?? 0).trimEnd().split("\n").sort(), lines.sort());
    });
  }
});

Deno.test("append_file sees a file that comes while it looks", async () => {
  await using dir = await tempDir();
  const files = filesIn(dir.path);
  const late = {
    ...files,
    async read(path: string) {
      const found = await files.read(path);
      if (!found.ok) await Deno.writeTextFile(dir.join("log.txt"), "theirs\n");
      return found;
    },
  };
  await runTool(appendFile, { path: "log.txt", content: "ours" }, { files: late });
  deepStrictEqual(await textsIn(dir.path), { "log.txt": "theirs\nours\n" });
});
