import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createJournal } from "../../agent/backing/journal.ts";
import { recoverJournals } from "../../agent/backing/recover_journals.ts";
import type { WriteFiles } from "../../sandbox/files/files.ts";
import { patchManyTool } from "../../tools/patch_many.ts";
import { snapshot, textsIn } from "../helpers/snapshot.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, planOf, runPlanned, runTool } from "../helpers/tool_calls.ts";
import { FIVE_FILES } from "./five_files.ts";

const patchMany = patchManyTool({ recovery: "place" });

/** A conflict hunk that replaces one line. */
function hunk(old: string, fresh: string): string {
  return `<<<<<<< ORIGINAL\n${old}\n=======\n${fresh}\n>>>>>>> UPDATED\n`;
}

/** A codex patch of these lines. */
function codex(...lines: string[]): { patch: string } {
  return { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") };
}

Deno.test("patch_many adds, changes, deletes and moves files by one codex text", async () => {
  await using dir = await tempDir(FIVE_FILES.before);
  const { value, text } = await runTool(patchMany, { patch: FIVE_FILES.patch }, {
    files: filesIn(dir.path),
  });
  deepStrictEqual(await textsIn(dir.path), FIVE_FILES.after);
  const { message, ...facts } = value;
  deepStrictEqual(facts, {
    ok: true,
    path: "edited.txt, windows.txt, new/made.txt, new/name.txt, gone.txt",
    rung: "line_ending",
    files: [
      { path: "edited.txt", change: "edited", rung: "exact", lines: [{ first: 2, last: 2 }] },
      {
        path: "windows.txt",
        change: "edited",
        rung: "line_ending",
        lines: [{ first: 2, last: 2 }],
      },
      { path: "new/made.txt", change: "added" },
      {
        path: "new/name.txt",
        change: "moved",
        from: "old/name.txt",
        rung: "exact",
        lines: [{ first: 2, last: 2 }],
      },
      { path: "gone.txt", change: "deleted" },
    ],
  });
  strictEqual(text, message);
  match(text, /^Edited edited\.txt/);
  match(text, /\nMade new\/made\.txt \(1 line\)\.\nMoved old\/name\.txt to new\/name\.txt\.\n/);
  match(text, /\nDeleted gone\.txt\.$/);
});

Deno.test("patch_many shows a person every change before it is made", async () => {
  await using dir = await tempDir(FIVE_FILES.before);
  const args = { patch: FIVE_FILES.patch };
  const plan = await planOf(patchMany, args, { files: filesIn(dir.path) });
  deepStrictEqual(plan.touches.map((touch) => [touch.kind, "path" in touch ? touch.path : ""]), [
    ["write", "edited.txt"],
    ["write", "windows.txt"],
    ["write", "new/made.txt"],
    ["write", "new/name.txt"],
    ["write", "gone.txt"],
    ["write", "old/name.txt"],
  ]);
  const diff = plan.preview ?? "";
  for (
    const part of [
      "--- a/edited.txt\n+++ b/edited.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
      "--- /dev/null\n+++ b/new/made.txt\n@@ -0,0 +1 @@\n+fresh\n",
      "--- a/old/name.txt\n+++ b/new/name.txt\n@@ -1,2 +1,2 @@\n keep\n-change\n+changed\n",
      "--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-last words\n",
    ]
  ) ok(diff.includes(part), `${part} in ${diff}`);
  deepStrictEqual(await textsIn(dir.path), FIVE_FILES.before);
});

Deno.test("patch_many does what the words of a patch mean", async (t) => {
  type Texts = Record<string, string>;
  const rows: [name: string, before: Texts, args: unknown, after: Texts][] = [
    [
      "the same path twice is one file, also in other words",
      { "a.txt": "one\ntwo\n" },
      {
        patches: [{ path: "a.txt", patch: hunk("one", "1") }, {
          path: "./a.txt",
          patch: hunk("two", "2"),
        }],
      },
      { "a.txt": "1\n2\n" },
    ],
    [
      "the list given as JSON text",
      { "a.txt": "one\n" },
      { patches: JSON.stringify([{ path: "a.txt", patch: hunk("one", "1") }]) },
      { "a.txt": "1\n" },
    ],
    [
      "two sections of a codex text add up",
      { "a.txt": "one\ntwo\n" },
      codex(
        "*** Update File: a.txt",
        "@@",
        "-one",
        "+1",
        "*** Update File: a.txt",
        "@@",
        "-two",
        "+2",
      ),
      { "a.txt": "1\n2\n" },
    ],
    [
      "a move alone",
      { "a.txt": "one\n" },
      codex("*** Update File: a.txt", "*** Move to: src/b.txt"),
      { "src/b.txt": "one\n" },
    ],
    [
      "two files change places",
      { "a.txt": "one\n", "b.txt": "two\n" },
      codex(
        "*** Update File: a.txt",
        "*** Move to: b.txt",
        "*** Update File: b.txt",
        "*** Move to: a.txt",
      ),
      { "a.txt": "two\n", "b.txt": "one\n" },
    ],
    [
      "a move to where a file is deleted",
      { "a.txt": "one\n", "b.txt": "two\n" },
      codex("*** Delete File: b.txt", "*** Update File: a.txt", "*** Move to: b.txt"),
      { "b.txt": "one\n" },
    ],
    [
      "deleted and added again is a new text",
      { "a.txt": "\uFEFFone\r\n" },
      codex("*** Delete File: a.txt", "*** Add File: a.txt", "+two"),
      { "a.txt": "\uFEFFtwo\r\n" },
    ],
    ["an empty file", {}, codex("*** Add File: pkg/__init__.py"), { "pkg/__init__.py": "" }],
  ];
  for (const [name, before, args, after] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir(before);
      const { text } = await runTool(patchMany, args, { files: filesIn(dir.path) });
      deepStrictEqual(await textsIn(dir.path), after, text);
    });
  }
});

Deno.test("patch_many keeps a moved file's bytes and mode, text or not", async () => {
  await using dir = await tempDir({ "run": Uint8Array.from([0, 255, 1]) });
  await Deno.chmod(dir.join("run"), 0o755);
  const args = codex("*** Update File: run", "*** Move to: bin/run");
  await runTool(patchMany, args, { files: filesIn(dir.path) });
  deepStrictEqual(await Deno.readFile(dir.join("bin", "run")), Uint8Array.from([0, 255, 1]));
  strictEqual(((await Deno.stat(dir.join("bin", "run"))).mode ?? 0) & 0o777, 0o755);
});

Deno.test("patch_many refuses the whole where one part cannot be", async (t) => {
  const good = ["*** Update File: a.txt", "@@", "-one", "+1"];
  const rows: [name: string, args: unknown, reason: string, text: RegExp][] = [
    [
      "a missing file",
      codex(...good, "*** Update File: lst.txt", "@@", "-x", "+y"),
      "not_a_file",
      /did you mean list\.txt/,
    ],
    [
      "a file to add is there",
      codex(...good, "*** Add File: b.txt", "+x"),
      "exists",
      /b\.txt is there already/,
    ],
    [
      "a move to a file that is there",
      codex("*** Update File: a.txt", "*** Move to: b.txt"),
      "exists",
      /b\.txt/,
    ],
    [
      "two files move to one place",
      codex(
        "*** Update File: a.txt",
        "*** Move to: c.txt",
        "*** Update File: b.txt",
        "*** Move to: c.txt",
      ),
      "exists",
      /c\.txt/,
    ],
    [
      "a file to delete is not there",
      codex(...good, "*** Delete File: c.txt"),
      "not_a_file",
      /c\.txt/,
    ],
    ["a link to delete", codex("*** Delete File: link.txt"), "not_a_file", /is a link/],
    [
      "a link that leads nowhere, to add",
      codex(...good, "*** Add File: dangling.txt", "+x"),
      "not_a_file",
      /is a link/,
    ],
    [
      "a link that leads nowhere, to move to",
      codex("*** Update File: a.txt", "*** Move to: dangling.txt"),
      "not_a_file",
      /is a link/,
    ],
    ["a folder", codex(...good, "*** Delete File: src"), "not_a_file", /src/],
    [
      "a place below a file",
      codex(...good, "*** Add File: b.txt/c.txt", "+x"),
      "not_a_folder",
      /b\.txt is a file/,
    ],
    [
      "a move outside",
      codex("*** Update File: a.txt", "*** Move to: ../x.txt"),
      "denied",
      /^denied: path traversal/,
    ],
    [
      "a file added outside",
      codex(...good, "*** Add File: ../x.txt", "+x"),
      "denied",
      /^denied: path traversal/,
    ],
    ["code left out", codex(...good, "*** Add File: c.ts", "+// ... rest"), "placeholder", /rest/],
    [
      "a file that is no text",
      codex(...good, "*** Update File: data.bin", "@@", "-x", "+y"),
      "binary",
      /data\.bin/,
    ],
    [
      "hunks that overlap",
      {
        patches: [{ path: "a.txt", patch: hunk("one", "1") }, {
          path: "a.txt",
          patch: hunk("one", "2"),
        }],
      },
      "overlap",
      /a\.txt/,
    ],
    ["updated and deleted", codex(...good, "*** Delete File: a.txt"), "malformed", /a\.txt twice/],
    ["a text that is no patch", { patch: "a.txt: one" }, "malformed", /Begin Patch/],
    [
      "a patch that breaks off",
      { patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1" },
      "malformed",
      /End Patch/,
    ],
    [
      "one of two hunks",
      { patches: [{ path: "a.txt", patch: hunk("one", "1") + hunk("four", "4") }] },
      "not_found",
      /^hunk 2\/2 failed: not_found[^]*four/,
    ],
  ];
  for (const [name, args, reason, told] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({
        "a.txt": "one\n",
        "b.txt": "two\n",
        "list.txt": "",
        "data.bin": Uint8Array.from([0, 1]),
        "src/": "",
      });
      await Deno.symlink("a.txt", dir.join("link.txt"));
      await Deno.symlink("nowhere.txt", dir.join("dangling.txt"));
      const before = await snapshot(dir.path);
      const { value, text } = await runTool(patchMany, args, { files: filesIn(dir.path) });
      strictEqual(value.reason, reason, text);
      match(text, told);
      ok(text.endsWith(`\n[not edited: ${reason}]`), text);
      deepStrictEqual(await snapshot(dir.path), before);
    });
  }
});

Deno.test("patch_many names what is wrong with its arguments", async (t) => {
  const rows: [name: string, args: unknown, problem: RegExp][] = [
    ["neither form", {}, /either patches or patch/],
    ["both forms", { patches: [{ path: "a", patch: "" }], patch: "x" }, /either patches or patch/],
    ["an empty list", { patches: [] }, /patches/],
    ["no path", { patches: [{ path: "", patch: hunk("a", "b") }] }, /path/],
  ];
  for (const [name, args, problem] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir();
      const outcome = await runTool(patchMany, args, { files: filesIn(dir.path) });
      strictEqual(outcome.isError, true);
      match(outcome.text, problem);
    });
  }
});

/** Files of which the nth change fails as on a full disk. */
function failingAt(files: WriteFiles, wanted: number): WriteFiles {
  let count = 0;
  const count1 = <T>(act: () => Promise<T>): Promise<T> =>
    ++count === wanted ? Promise.reject(new Error("no space left on device")) : act();
  return {
    ...files,
    create: (...args) => count1(() => files.create(...args)),
    replace: (...args) => count1(() => files.replace(...args)),
    remove: (...args) => count1(() => files.remove(...args)),
  };
}

Deno.test("patch_many puts everything back where a write fails", async (t) => {
  for (let failing = 1; failing <= 6; failing++) {
    await t.step(`the write number ${failing}`, async () => {
      await using dir = await tempDir({ "w/": "" });
      for (const [path, text] of Object.entries(FIVE_FILES.before)) {
        await Deno.mkdir(dir.join("w", "old"), { recursive: true });
        await Deno.writeTextFile(dir.join("w", path), text);
      }
      await Deno.chmod(dir.join("w", "gone.txt"), 0o600);
      const { isError, text } = await runTool(patchMany, { patch: FIVE_FILES.patch }, {
        files: failingAt(filesIn(dir.join("w")), failing),
        journal: createJournal(dir.join("state")),
      });
      strictEqual(isError, true);
      match(text, /^Cannot write ".*": no space left on device; none of the files was changed$/);
      deepStrictEqual(await textsIn(dir.join("w")), FIVE_FILES.before);
      strictEqual(((await Deno.stat(dir.join("w", "gone.txt"))).mode ?? 0) & 0o777, 0o600);
      deepStrictEqual(await textsIn(dir.join("state")), {});
    });
  }
});

Deno.test("patch_many leaves its journal where even the undo fails", async () => {
  await using dir = await tempDir({ "w/a.txt": "one\n", "w/b.txt": "two\n" });
  const files = filesIn(dir.join("w"));
  let writes = 0;
  const broken: WriteFiles = {
    ...files,
    replace(path, expected, splices) {
      if (++writes === 1) return files.replace(path, expected, splices);
      return Promise.reject(new Error("read-only file system"));
    },
  };
  const args = {
    patches: ["a", "b"].map((name) => ({
      path: `${name}.txt`,
      patch: hunk(name === "a" ? "one" : "two", "x"),
    })),
  };
  const outcome = await runTool(patchMany, args, {
    files: broken,
    journal: createJournal(dir.join("state")),
  });
  strictEqual(outcome.isError, true);
  match(outcome.text, /^Cannot undo the change of a\.txt \(read-only file system\)/);
  deepStrictEqual(await textsIn(dir.join("w")), { "a.txt": "x\n", "b.txt": "two\n" });
  await recoverJournals(dir.join("state"), files);
  deepStrictEqual(await textsIn(dir.join("w")), { "a.txt": "one\n", "b.txt": "two\n" });
});

Deno.test("patch_many after others changed its files between plan and run", async (t) => {
  const args = {
    patches: [{ path: "a.txt", patch: hunk("one", "1") }, {
      path: "b.txt",
      patch: hunk("two", "2"),
    }],
  };
  const rows: [name: string, b: string, reason: string, after: string[]][] = [
    ["other lines: both land", "zero\ntwo\n", "ok", ["1\n", "zero\n2\n"]],
    ["the same line: neither lands", "TWO\n", "stale", ["one\n", "TWO\n"]],
  ];
  for (const [name, b, reason, after] of rows) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "a.txt": "one\n", "b.txt": "two\n" });
      const files = filesIn(dir.path);
      const plan = await planOf(patchMany, args, { files });
      await Deno.writeTextFile(dir.join("b.txt"), b);
      const { value } = await runPlanned(patchMany, args, { files }, plan);
      strictEqual(value.ok ? "ok" : value.reason, reason);
      deepStrictEqual(Object.values(await textsIn(dir.path)), after);
    });
  }
  await t.step("a file came where one was to be added: nothing lands", async () => {
    await using dir = await tempDir({ "a.txt": "one\n" });
    const files = filesIn(dir.path);
    const added = codex("*** Update File: a.txt", "@@", "-one", "+1", "*** Add File: b.txt", "+x");
    const plan = await planOf(patchMany, added, { files });
    await Deno.writeTextFile(dir.join("b.txt"), "theirs\n");
    const { value } = await runPlanned(patchMany, added, { files }, plan);
    strictEqual(value.reason, "stale");
    deepStrictEqual(await textsIn(dir.path), { "a.txt": "one\n", "b.txt": "theirs\n" });
  });
});
