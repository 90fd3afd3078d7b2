import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { EditorBuffers } from "../../../agent/acp/editor_buffers.ts";
import { editorFiles } from "../../../agent/acp/editor_files.ts";
import { versionOf } from "../../../sandbox/files/content.ts";
import { createFiles } from "../../../sandbox/files/guarded_files.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";
import { fakeEditor } from "./fake_editor.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Real files under an editor whose one buffer, of `a.txt`, holds `buffer`. */
function filesUnder(dir: TempDir, buffer: { text: string }, writeTextFile = true) {
  const { editor, voice, asked } = fakeEditor((method, params) => {
    // What the layer sends.
    const { path, content } = params as { path: string; content?: string };
    if (path !== dir.join("work", "a.txt")) throw new Error("no such file");
    if (method === "fs/write_text_file") buffer.text = content ?? "";
    return { content: buffer.text };
  }, { readTextFile: true, writeTextFile });
  const work = dir.join("work");
  const buffers = new EditorBuffers({
    voice: voice(),
    folder: () => ({ given: work, real: work }),
    turn: () => undefined,
    // Nothing on the disk is new to the editor.
    clock: { now: () => Date.now() + 3_600_000, sleep: () => Promise.resolve() },
  });
  const disk = createFiles({ roots: { workspace: work }, cwd: () => work });
  return { files: editorFiles(disk, buffers), asked, editor };
}

function world() {
  return tempDir({ "work/a.txt": "one\ntwo\n", "work/b.txt": "b\n", "out.txt": "out\n" });
}

Deno.test("a read answers what is unsaved, with the version of that", async () => {
  await using dir = await world();
  const { files } = filesUnder(dir, { text: "one\nunsaved\n" });
  const read = await files.read("a.txt");
  ok(read.ok);
  strictEqual(decode(read.bytes), "one\nunsaved\n");
  deepStrictEqual(read.version, await versionOf(encode("one\nunsaved\n")));
  strictEqual(read.facts.size, read.bytes.length);
  const clean = await files.read("b.txt");
  ok(clean.ok && decode(clean.bytes) === "b\n");
});

Deno.test("a change starts from what is unsaved, and is on the disk and in the buffer", async () => {
  await using dir = await world();
  const buffer = { text: "one\nunsaved\n" };
  const { files } = filesUnder(dir, buffer);
  const read = await files.read("a.txt");
  ok(read.ok);
  const changed = await files.replace("a.txt", read.version, [
    { start: 0, end: 3, bytes: encode("1") },
  ]);
  ok(changed.ok);
  strictEqual(await Deno.readTextFile(dir.join("work/a.txt")), "1\nunsaved\n");
  strictEqual(buffer.text, "1\nunsaved\n");
});

Deno.test("typing between the read and the change makes it stale", async () => {
  await using dir = await world();
  const buffer = { text: "one\ntwo\n" };
  const { files } = filesUnder(dir, buffer);
  const read = await files.read("a.txt");
  ok(read.ok);
  buffer.text = "one\ntyped\n";
  const changed = await files.replace("a.txt", read.version, [
    { start: 0, end: 3, bytes: encode("1") },
  ]);
  ok(!changed.ok && "current" in changed);
  strictEqual(decode(changed.current.bytes), "one\ntyped\n");
  strictEqual(await Deno.readTextFile(dir.join("work/a.txt")), "one\ntwo\n");
  strictEqual(buffer.text, "one\ntyped\n");
});

Deno.test("unsaved changes are not overwritten without the editor, nor removed with the file", async () => {
  await using dir = await world();
  const { files } = filesUnder(dir, { text: "unsaved\n" }, false);
  const read = await files.read("a.txt");
  ok(read.ok);
  const changed = await files.replace("a.txt", read.version, []);
  ok(!changed.ok && changed.reason === "denied");
  match(changed.message, /^a\.txt has changes in the editor that are not saved/);
  const removed = await files.remove("a.txt", read.version);
  ok(!removed.ok && removed.reason === "denied");
  strictEqual(await Deno.readTextFile(dir.join("work/a.txt")), "one\ntwo\n");
  // A file that is as on the disk can be changed, and removed.
  const clean = await files.read("b.txt");
  ok(clean.ok);
  ok((await files.remove("b.txt", clean.version)).ok);
});

Deno.test("what the files below refuse never reaches the editor", async () => {
  await using dir = await world();
  const { files, asked } = filesUnder(dir, { text: "unsaved\n" });
  const outside = dir.join("out.txt");
  const version = await versionOf(encode("out\n"));
  const refusals = [
    await files.read(outside),
    await files.create(outside, encode("x")),
    await files.replace(outside, version, []),
    await files.remove(outside, version),
    await files.create("b.txt", encode("x")),
  ];
  deepStrictEqual(refusals.map((answer) => answer.ok ? "ok" : answer.reason), [
    ...["denied", "denied", "denied", "denied", "exists"],
  ]);
  deepStrictEqual(asked, []);
});
