import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { EditorBuffers } from "../../../agent/acp/editor_buffers.ts";
import { versionOf } from "../../../sandbox/files/content.ts";
import type { FileContent } from "../../../sandbox/files/files.ts";
import { fakeEditor } from "./fake_editor.ts";

const NEVER = new AbortController().signal;

async function onDisk(text: string | Uint8Array<ArrayBuffer>, mtimeMs = 0): Promise<FileContent> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const facts = { path: "a.txt", real: "/real/a.txt", kind: "file", mode: 0o644 } as const;
  return {
    facts: { ...facts, size: bytes.length, mtimeMs },
    version: await versionOf(bytes),
    bytes,
  };
}

/** Buffers of an editor that answers with what `contents` yields, and a clock that stands. */
function world(contents: string[], nowMs = 1e9) {
  const fake = fakeEditor((method) => {
    if (method !== "fs/read_text_file") return {};
    const content = contents.length > 1 ? contents.shift() : contents[0];
    if (content === undefined) throw new Error("no such file");
    return { content };
  }, { readTextFile: true, writeTextFile: true });
  const slept: number[] = [];
  const buffers = new EditorBuffers({
    voice: fake.voice(),
    folder: () => ({ given: "/given", real: "/real" }),
    turn: () => undefined,
    clock: {
      now: () => nowMs,
      // Nobody waits for an answer so long.
      sleep: (ms) => ms < 10_000 ? Promise.resolve(void slept.push(ms)) : new Promise(() => {}),
    },
  });
  const unsaved = async (file: FileContent) => {
    const bytes = await buffers.unsaved(file, NEVER);
    return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  };
  return { ...fake, buffers, slept, unsaved };
}

Deno.test("unsaved() is what the file would hold, line ends and mark as on the disk", async (t) => {
  const cases: [name: string, disk: string, buffer: string, want: string | undefined][] = [
    ["the same text", "a\nb\n", "a\nb\n", undefined],
    ["the same lines", "a\r\nb\r\n", "a\nb\n", undefined],
    ["the same lines with a mark", "\uFEFFa\n", "a\n", undefined],
    ["the same lines, the editor tells the mark", "\uFEFFa\n", "\uFEFFa\n", undefined],
    ["another text", "a\n", "b\n", "b\n"],
    ["another text of a file with CRLF", "a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"],
    ["another text of a file with a mark", "\uFEFFa\n", "b\n", "\uFEFFb\n"],
    ["mixed line ends become those of the buffer", "a\r\nb\n", "a\nc\n", "a\nc\n"],
    ["nothing any more", "a\n", "", ""],
  ];
  for (const [name, disk, buffer, want] of cases) {
    await t.step(name, async () => {
      const { unsaved, asked, slept } = world([buffer]);
      strictEqual(await unsaved(await onDisk(disk)), want);
      deepStrictEqual(asked, [
        ["fs/read_text_file", { sessionId: "s", path: "/given/a.txt" }],
      ]);
      deepStrictEqual(slept, []);
    });
  }
});

Deno.test("what no buffer can hold is not asked for", async () => {
  const { unsaved, asked } = world(["x"]);
  const file = await onDisk("a\n");
  const cases = [
    await onDisk(new Uint8Array([1, 0, 2])),
    await onDisk(new Uint8Array(9 * 1024 * 1024).fill(0x61)),
    { ...file, facts: { ...file.facts, real: "/elsewhere/a.txt" } },
  ];
  for (const one of cases) strictEqual(await unsaved(one), undefined);
  deepStrictEqual(asked, []);
});

Deno.test("an editor that does not know a file is told nothing of it", async () => {
  const { unsaved, updates } = world([]);
  strictEqual(await unsaved(await onDisk("a\n")), undefined);
  deepStrictEqual(updates, []);
});

Deno.test("a buffer that has not noticed a change of the disk is not taken for unsaved", async (t) => {
  const now = 1_000_000;
  await t.step("it holds what was on the disk before", async () => {
    const { unsaved, slept } = world(["old\n"], now);
    strictEqual(await unsaved(await onDisk("old\n", now - 60_000)), undefined);
    strictEqual(await unsaved(await onDisk("new\n", now - 100)), undefined);
    deepStrictEqual(slept, []);
  });
  await t.step("it is given the time to notice", async () => {
    const { unsaved, slept } = world(["old\n", "new\n"], now);
    strictEqual(await unsaved(await onDisk("new\n", now - 500)), undefined);
    deepStrictEqual(slept, [1500]);
  });
  await t.step("what it still holds then is unsaved", async () => {
    const { unsaved, slept } = world(["typed\n"], now);
    strictEqual(await unsaved(await onDisk("new\n", now - 500)), "typed\n");
    deepStrictEqual(slept, [1500]);
  });
  await t.step("a person who goes back in the editor is heard", async () => {
    const { unsaved } = world(["old\n"], now);
    await unsaved(await onDisk("old\n", now - 60_000));
    strictEqual(await unsaved(await onDisk("new\n", now - 30_000)), "old\n");
  });
  await t.step("a clock that stands wrong makes nobody wait longer", async () => {
    const { unsaved, slept } = world(["typed\n"], now);
    strictEqual(await unsaved(await onDisk("new\n", now + 3_600_000)), "typed\n");
    deepStrictEqual(slept, [2000]);
  });
});

Deno.test("an editor that does not answer in time is not asked again", async () => {
  const fake = fakeEditor(
    (_method, _params, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    {
      readTextFile: true,
    },
  );
  const buffers = new EditorBuffers({
    voice: fake.voice(),
    folder: () => ({ given: "/real", real: "/real" }),
    turn: () => undefined,
    clock: { now: () => 1e9, sleep: () => Promise.resolve() },
  });
  for (let n = 0; n < 3; n++) {
    strictEqual(await buffers.unsaved(await onDisk("a\n"), NEVER), undefined);
  }
  strictEqual(fake.asked.length, 1);
  match(fake.logged.join(), /^The editor does not answer for its files: [^,]*$/);
});

Deno.test("who is told to stop waits for no editor, and knows of nothing; it is asked again", async () => {
  const stop = new AbortController();
  const { buffers, asked, editor } = world(["typed\n"]);
  const { ask } = editor;
  editor.ask = (...said) => {
    stop.abort();
    return ask(...said).then(() => Promise.reject(stop.signal.reason));
  };
  await rejects(buffers.unsaved(await onDisk("a\n"), stop.signal), { name: "AbortError" });
  editor.ask = ask;
  ok(await buffers.unsaved(await onDisk("a\n"), NEVER));
  strictEqual(asked.length, 2);
});

Deno.test("take() gives a text to the buffer; a refusal is noted, and changes nothing", async () => {
  const { buffers, asked, logged, editor } = world([]);
  await buffers.take("/real/a.txt", new TextEncoder().encode("new\n"), NEVER);
  deepStrictEqual(asked, [
    ["fs/write_text_file", { sessionId: "s", path: "/given/a.txt", content: "new\n" }],
  ]);
  await buffers.take("/elsewhere/a.txt", new TextEncoder().encode("new\n"), NEVER);
  strictEqual(asked.length, 1);
  editor.ask = () => Promise.reject(new Error("read-only"));
  await buffers.take("/real/a.txt", new TextEncoder().encode("new\n"), NEVER);
  match(logged.join(), /The editor did not take the new text of \/given\/a\.txt: .*read-only/);
});

Deno.test("a buffer that does not tell what it holds unsaved is given no text", async () => {
  for (const readTextFile of [true, false]) {
    const fake = fakeEditor(() => ({}), { readTextFile, writeTextFile: true });
    const buffers = new EditorBuffers({
      voice: fake.voice(),
      folder: () => ({ given: "/real", real: "/real" }),
      turn: () => undefined,
      clock: { now: () => 1e9, sleep: () => new Promise(() => {}) },
    });
    await buffers.take("/real/a.txt", new TextEncoder().encode("new\n"), NEVER);
    deepStrictEqual([buffers.takeTexts, fake.asked.length], [readTextFile, readTextFile ? 1 : 0]);
  }
});
