import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { WriteFiles } from "../../sandbox/files/files.ts";
import { editFileTool } from "../../tools/edit_file.ts";
import { snapshot } from "../helpers/snapshot.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, planOf, runPlanned, runTool } from "../helpers/tool_calls.ts";

const editFile = editFileTool({ recovery: "place" });

function edit(path: string, old_string: string, new_string: string) {
  return { path, old_string, new_string };
}

Deno.test("edit_file says what it did", async () => {
  await using dir = await tempDir({ "a.ts": "one\n  two\nthree\n" });
  const { value, text } = await runTool(editFile, edit("a.ts", "two\n", "2\n"), {
    files: filesIn(dir.path),
  });
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), "one\n  2\nthree\n");
  const { message, ...facts } = value;
  deepStrictEqual(facts, {
    ok: true,
    path: "a.ts",
    rung: "exact",
    count: 1,
    lines: [{ first: 2, last: 2 }],
  });
  strictEqual(text, message);
  match(text, /^Edited a\.ts: exact match, line 2 now:\n {5}1\tone\n {5}2\t {2}2\n {5}3\tthree$/);
});

Deno.test("edit_file tells the rung that found a tolerant match", async () => {
  await using dir = await tempDir({ "a.ts": "if (x) {\r\n\ty();\r\n}\r\n" });
  const args = edit("a.ts", "if (x) {\n    y();\n}\n", "if (x) {\n    z();\n}\n");
  const { value } = await runTool(editFile, args, { files: filesIn(dir.path) });
  strictEqual(value.rung, "indentation");
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), "if (x) {\r\n\tz();\r\n}\r\n");
});

Deno.test("edit_file replaces every place with replace_all, given as text as well", async () => {
  await using dir = await tempDir({ "a.ts": "x x\nx\n" });
  const args = { ...edit("a.ts", "x", "y"), replace_all: "true" };
  const { value } = await runTool(editFile, args, { files: filesIn(dir.path) });
  strictEqual(value.count, 3);
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), "y y\ny\n");
});

Deno.test("edit_file ends an ambiguous answer with what to do", async () => {
  await using dir = await tempDir({ "a.ts": "x\ny\nx\n" });
  const { text } = await runTool(editFile, edit("a.ts", "x", "z"), { files: filesIn(dir.path) });
  match(text, /lines 1, 3/);
  match(text, /add a neighbouring line to old_string, or pass replace_all: true for all 2/);
  match(text, /\n\[not edited: ambiguous\]$/);
});

Deno.test("edit_file shows as much of the file as the setting says", async (t) => {
  const old = "const retries = 3;\n";
  const file = `first line\n${"filler\n".repeat(20)}const retries = 5;\n`;
  for (
    const [recovery, place, whole] of [
      ["place", true, false],
      ["file", true, true],
      ["none", false, false],
    ] as const
  ) {
    await t.step(recovery, async () => {
      await using dir = await tempDir({ "a.ts": file });
      const tool = editFileTool({ recovery });
      const { text } = await runTool(tool, edit("a.ts", old, "x\n"), { files: filesIn(dir.path) });
      strictEqual(text.includes("retries = 5"), place);
      strictEqual(text.includes("first line"), whole);
      ok(text.split("\n").length <= 45);
    });
  }
});

Deno.test("edit_file refuses bad input in one clear answer, and changes nothing", async (t) => {
  const utf16 = Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x0a, 0]);
  const rows: [name: string, args: unknown, reason: string, text: RegExp][] = [
    ["empty old text", edit("a.ts", "", "x"), "empty_old", /old text is empty/],
    ["old = new", edit("a.ts", "one", "one"), "no_change", /the same/],
    ["a folder", edit("src", "a", "b"), "not_a_file", /src is a folder|src .*folder/],
    ["a missing file", edit("b.ts", "a", "b"), "not_a_file", /b\.ts is not there/],
    ["a misspelt file", edit("confg.json", "a", "b"), "not_a_file", /did you mean config\.json\?/],
    ["empty old text for a missing file", edit("new.ts", "", "b"), "not_a_file", /not there/],
    ["bytes that are no UTF-8", edit("latin1.txt", "a", "b"), "encoding", /not UTF-8/],
    ["UTF-16", edit("utf16.txt", "a", "b"), "encoding", /UTF-16LE/],
    ["NUL bytes", edit("data.bin", "a", "b"), "binary", /is no text/],
    [
      "a path outside",
      edit("../x", "a", "b"),
      "denied",
      /^denied: path traversal: \.\.\/x resolves/,
    ],
    ["a NUL in the path", edit("a\0.ts", "a", "b"), "not_a_file", /NUL/],
    ["half of a character", edit("a.ts", "one", "\ud83d"), "encoding", /lone surrogate/],
    ["code left out", edit("a.ts", "one", "// ... rest"), "placeholder", /write the code out/],
    ["what is not there", edit("a.ts", "four", "4"), "not_found", /a\.ts \(3 lines, LF\)/],
  ];
  for (const [name, args, reason, told] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({
        "a.ts": "one\ntwo\nthree\n",
        "config.json": "{}\n",
        "src/": "",
        "latin1.txt": Uint8Array.from([0x61, 0xe9, 0x0a]),
        "utf16.txt": utf16,
        "data.bin": Uint8Array.from([0x61, 0, 0, 0, 1, 0x0a]),
      });
      const before = await snapshot(dir.path);
      const { isError, value, text } = await runTool(editFile, args, { files: filesIn(dir.path) });
      strictEqual(isError, false);
      strictEqual(value.reason, reason);
      match(text, told);
      ok(text.endsWith(`\n[not edited: ${reason}]`), text);
      deepStrictEqual(await snapshot(dir.path), before);
    });
  }
});

Deno.test("edit_file reads arguments in their usual wrong shapes", async (t) => {
  const rows: [name: string, args: unknown, problem: RegExp | undefined][] = [
    ["file_path", { file_path: "a.ts", old_string: "one", new_string: "1" }, undefined],
    ["oldString", { path: "a.ts", oldString: "one", newString: "1" }, undefined],
    ["old_str", { path: "a.ts", old_str: "one", new_str: "1" }, undefined],
    ["no path", { old_string: "one", new_string: "1" }, /path/],
    ["an empty path", edit("", "one", "1"), /path/],
    ["a number for text", { path: "a.ts", old_string: 1, new_string: "1" }, /old_string/],
    ["a list", ["a.ts"], /must be a JSON object/],
    ["no JSON", '{"path": "a.ts"', /not JSON/],
  ];
  for (const [name, args, problem] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.ts": "one\n" });
      const outcome = await runTool(editFile, args, { files: filesIn(dir.path) });
      strictEqual(outcome.isError, problem !== undefined);
      if (problem) match(outcome.text, problem);
      strictEqual(await Deno.readTextFile(dir.join("a.ts")), problem ? "one\n" : "1\n");
    });
  }
});

Deno.test("edit_file refuses a file of 100 MB, and answers about one line of 5 MB", async (t) => {
  await t.step("100 MB", async () => {
    await using dir = await tempDir({ "big.txt": "" });
    await Deno.truncate(dir.join("big.txt"), 100 * 1024 * 1024);
    const { value } = await runTool(editFile, edit("big.txt", "a", "b"), {
      files: filesIn(dir.path),
    });
    strictEqual(value.reason, "too_large");
  });
  await t.step("5 MB in one line", async () => {
    const line = "abcdefghi ".repeat(512 * 1024);
    await using dir = await tempDir({ "min.js": `${line}END\n` });
    const files = filesIn(dir.path);
    const missed = await runTool(editFile, edit("min.js", "abcdefghj", "x"), { files });
    strictEqual(missed.value.reason, "not_found");
    ok(missed.text.length < 5_000);
    const hit = await runTool(editFile, edit("min.js", "END", "END;"), { files });
    strictEqual(hit.value.ok, true);
    ok(hit.text.length < 5_000);
    strictEqual((await Deno.stat(dir.join("min.js"))).size, line.length + 5);
  });
});

Deno.test("edit_file keeps what is not its own", async (t) => {
  await t.step("byte order mark, line endings, a missing final line break", async () => {
    await using dir = await tempDir({ "a.txt": "\uFEFFone\r\ntwo  \nthree" });
    await runTool(editFile, edit("a.txt", "three", "3"), { files: filesIn(dir.path) });
    const bytes = await Deno.readFile(dir.join("a.txt"));
    deepStrictEqual(bytes, new TextEncoder().encode("\uFEFFone\r\ntwo  \n3"));
  });
  await t.step("places behind text of several bytes a character", async () => {
    await using dir = await tempDir({ "a.txt": "\uFEFFé 漢字 😀 one\nß two\n" });
    await runTool(editFile, edit("a.txt", "two", "zwölf"), { files: filesIn(dir.path) });
    const bytes = await Deno.readFile(dir.join("a.txt"));
    deepStrictEqual(bytes, new TextEncoder().encode("\uFEFFé 漢字 😀 one\nß zwölf\n"));
  });
  await t.step("the mode", async () => {
    await using dir = await tempDir({ "run.sh": "one\n" });
    await Deno.chmod(dir.join("run.sh"), 0o750);
    await runTool(editFile, edit("run.sh", "one", "1"), { files: filesIn(dir.path) });
    strictEqual(((await Deno.stat(dir.join("run.sh"))).mode ?? 0) & 0o777, 0o750);
  });
  await t.step("a link, whose target changes", async () => {
    await using dir = await tempDir({ "real.txt": "one\n" });
    await Deno.symlink("real.txt", dir.join("alias.txt"));
    await runTool(editFile, edit("alias.txt", "one", "1"), { files: filesIn(dir.path) });
    strictEqual(await Deno.readLink(dir.join("alias.txt")), "real.txt");
    strictEqual(await Deno.readTextFile(dir.join("real.txt")), "1\n");
  });
  await t.step("hard links", async () => {
    await using dir = await tempDir({ "a.txt": "one\n" });
    await Deno.link(dir.join("a.txt"), dir.join("b.txt"));
    await runTool(editFile, edit("a.txt", "one", "1"), { files: filesIn(dir.path) });
    strictEqual(await Deno.readTextFile(dir.join("b.txt")), "1\n");
  });
});

Deno.test("edit_file plans what it will do", async (t) => {
  const given = { "a.ts": "one\ntwo\n" };
  await t.step("the preview is the diff of what is written then", async () => {
    await using dir = await tempDir(given);
    const files = filesIn(dir.path);
    const args = edit("a.ts", "two", "2");
    const plan = await planOf(editFile, args, { files });
    deepStrictEqual(plan.touches, [{ kind: "write", path: "a.ts" }]);
    strictEqual(plan.preview, "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    strictEqual(await Deno.readTextFile(dir.join("a.ts")), "one\ntwo\n");
    await runPlanned(editFile, args, { files }, plan);
    strictEqual(await Deno.readTextFile(dir.join("a.ts")), "one\n2\n");
  });
  await t.step("what is refused asks nobody", async () => {
    await using dir = await tempDir(given);
    const plan = await planOf(editFile, edit("a.ts", "three", "3"), { files: filesIn(dir.path) });
    deepStrictEqual(plan.touches, [{ kind: "read", path: "a.ts" }]);
    strictEqual(plan.preview, undefined);
  });
});

Deno.test("edit_file after others changed the file between plan and run", async (t) => {
  const rows: [name: string, now: string, want: string | undefined][] = [
    ["other lines: it lands", "ONE\n\ntwo\nthree\nfour\n", "ONE\n\n2\nthree\nfour\n"],
    ["the very line: stale", "zero\none\nTWO\nthree\n", undefined],
    ["the line's indentation: stale", "zero\none\n  two \nthree\n", undefined],
    ["the line stands there twice now: stale", "zero\none\ntwo\ntwo\nthree\n", undefined],
    ["the line went, and an equal one came elsewhere: stale", "two\nzero\none\nthree\n", undefined],
    ["somebody did it already: stale", "zero\none\n2\nthree\n", undefined],
    ["it is no text any more: stale", "one\0two\n", undefined],
  ];
  for (const [name, now, want] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.ts": "zero\none\ntwo\nthree\n" });
      const files = filesIn(dir.path);
      const args = edit("a.ts", "two\n", "2\n");
      const plan = await planOf(editFile, args, { files });
      await Deno.writeTextFile(dir.join("a.ts"), now);
      const { value } = await runPlanned(editFile, args, { files }, plan);
      strictEqual(value.ok ? "ok" : value.reason, want === undefined ? "stale" : "ok");
      strictEqual(await Deno.readTextFile(dir.join("a.ts")), want ?? now);
    });
  }
  await t.step("the file is gone: not_a_file", async () => {
    await using dir = await tempDir({ "a.ts": "one\n" });
    const files = filesIn(dir.path);
    const plan = await planOf(editFile, edit("a.ts", "one", "1"), { files });
    await Deno.remove(dir.join("a.ts"));
    const { value } = await runPlanned(editFile, edit("a.ts", "one", "1"), { files }, plan);
    strictEqual(value.reason, "not_a_file");
    deepStrictEqual(await snapshot(dir.path), {});
  });
});

Deno.test("edit_file gives up on a file that another program changes all the time", async () => {
  await using dir = await tempDir({ "a.ts": "0\ntwo\n" });
  const files = filesIn(dir.path);
  let writes = 0;
  const restless: WriteFiles = {
    ...files,
    async replace(path, expected, splices) {
      await Deno.writeTextFile(dir.join("a.ts"), `${++writes}\ntwo\n`);
      return await files.replace(path, expected, splices);
    },
  };
  const { value } = await runTool(editFile, edit("a.ts", "two", "2"), { files: restless });
  strictEqual(value.reason, "stale");
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), `${writes}\ntwo\n`);
});

Deno.test("edits of one file at the same time lose nothing", async () => {
  const count = 20;
  const lines = Array.from({ length: count }, (_, line) => `line ${line};\n`);
  await using dir = await tempDir({ "a.ts": lines.join("") });
  const files = filesIn(dir.path);
  const outcomes = await Promise.all(
    lines.map((_, line) =>
      runTool(editFile, edit("a.ts", `line ${line};`, `LINE ${line};`), { files })
    ),
  );
  deepStrictEqual(outcomes.map(({ value }) => value.ok), lines.map(() => true));
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), lines.join("").toUpperCase());
});
