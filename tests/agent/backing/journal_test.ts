import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createJournal } from "../../../agent/backing/journal.ts";
import { recoverJournals } from "../../../agent/backing/recover_journals.ts";
import type { JournalEntry } from "../../../tools/tool.ts";
import { textsIn } from "../../helpers/snapshot.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { filesIn } from "../../helpers/tool_calls.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** An entry for a file below a folder; undefined stands for no file. */
function entry(path: string, before: string | undefined, after: string | undefined): JournalEntry {
  return {
    path,
    ...(before !== undefined && { before: { bytes: bytes(before), mode: 0o640 } }),
    ...(after !== undefined && { after: bytes(after) }),
  };
}

/** Leaves a record as a process does that dies after it began. */
async function abandon(folder: string, entries: readonly JournalEntry[]): Promise<void> {
  await using _record = await createJournal(folder).begin(entries);
}

type Text = string | undefined;

type Row = [
  name: string,
  /** Before the change, after it, and as found; undefined for no file. */
  files: Record<string, [before: Text, after: Text, found: Text]>,
  left: Record<string, string>,
  kind: string,
];

Deno.test("recoverJournals() makes all files of a change new, or all old", async (t) => {
  const rows: Row[] = [
    [
      "nothing was written",
      { a: ["1", "2", "1"], b: ["1", "2", "1"] },
      { a: "1", b: "1" },
      "undone",
    ],
    [
      "a part was written",
      { a: ["1", "2", "2"], b: ["1", "2", "1"] },
      { a: "1", b: "1" },
      "undone",
    ],
    ["all was written", { a: ["1", "2", "2"], b: ["1", "2", "2"] }, { a: "2", b: "2" }, "whole"],
    [
      "a file was made",
      { a: [undefined, "2", "2"], b: ["1", "2", "1"] },
      { b: "1" },
      "undone",
    ],
    [
      "a file was removed",
      { a: ["1", undefined, undefined], b: ["1", "2", "1"] },
      { a: "1", b: "1" },
      "undone",
    ],
    [
      "a write in place was cut off",
      { a: ["old old", "new", "new old"], b: ["1", "2", "1"] },
      { a: "old old", b: "1" },
      "undone",
    ],
    [
      "a file was changed since",
      { a: ["1", "2", "mine"], b: ["1", "2", "2"] },
      { a: "mine", b: "1" },
      "undone",
    ],
    [
      "a file was removed since",
      { a: ["1", "2", undefined], b: ["1", "2", "2"] },
      { b: "1" },
      "undone",
    ],
  ];
  for (const [name, files, left, kind] of rows) {
    await t.step(name, async () => {
      const found = Object.entries(files).filter(([, [, , text]]) => text !== undefined);
      await using dir = await tempDir({ "w/": "" });
      for (const [file, [, , text]] of found) {
        await Deno.writeTextFile(dir.join("w", file), text ?? "");
      }
      const entries = Object.entries(files)
        .map(([file, [before, after]]) => entry(dir.join("w", file), before, after));
      await abandon(dir.join("journal"), entries);
      const recovered = await recoverJournals(dir.join("journal"), filesIn(dir.join("w")));
      deepStrictEqual(recovered.map((recovery) => recovery.kind), [kind]);
      deepStrictEqual(await textsIn(dir.join("w")), left);
      deepStrictEqual(await textsIn(dir.join("journal")), {});
    });
  }
});

Deno.test("recoverJournals() says what it restored and what it left", async () => {
  await using dir = await tempDir({ "w/a": "mine", "w/b": "2" });
  const [a, b] = [dir.join("w", "a"), dir.join("w", "b")];
  await abandon(dir.join("journal"), [entry(a, "1", "2"), entry(b, "1", "2")]);
  deepStrictEqual(await recoverJournals(dir.join("journal"), filesIn(dir.join("w"))), [
    { kind: "undone", restored: [b], left: [{ path: a, why: "it was changed since" }] },
  ]);
});

Deno.test("recoverJournals() restores a removed file with its mode", async () => {
  await using dir = await tempDir({ "w/b": "1" });
  const entries = [entry(dir.join("w", "a"), "1", undefined), entry(dir.join("w", "b"), "1", "2")];
  await abandon(dir.join("journal"), entries);
  await recoverJournals(dir.join("journal"), filesIn(dir.join("w")));
  strictEqual(((await Deno.stat(dir.join("w", "a"))).mode ?? 0) & 0o777, 0o640);
});

Deno.test("recoverJournals() leaves alone what is not its own", async (t) => {
  await t.step("a change that is under way", async () => {
    await using dir = await tempDir({ "w/a": "2", "w/b": "1" });
    const journal = createJournal(dir.join("journal"));
    const entries = [entry(dir.join("w", "a"), "1", "2"), entry(dir.join("w", "b"), "1", "2")];
    await using record = await journal.begin(entries);
    deepStrictEqual(await recoverJournals(dir.join("journal"), filesIn(dir.join("w"))), []);
    strictEqual(await Deno.readTextFile(dir.join("w", "a")), "2");
    await record.end();
    deepStrictEqual(await textsIn(dir.join("journal")), {});
  });
  await t.step("the files of another workspace; the record waits for it", async () => {
    await using dir = await tempDir({ "w/a": "2", "w/b": "1", "other/": "" });
    const entries = [entry(dir.join("w", "a"), "1", "2"), entry(dir.join("w", "b"), "1", "2")];
    await abandon(dir.join("journal"), entries);
    const elsewhere = await recoverJournals(dir.join("journal"), filesIn(dir.join("other")));
    deepStrictEqual(elsewhere.map(({ kind }) => kind), ["kept"]);
    deepStrictEqual(await textsIn(dir.join("w")), { a: "2", b: "1" });
    await recoverJournals(dir.join("journal"), filesIn(dir.join("w")));
    deepStrictEqual(await textsIn(dir.join("w")), { a: "1", b: "1" });
  });
  await t.step("records of another format, and other files", async () => {
    const others = { "x.json": '{"format":99,"files":[]}', "y.json": "{", "notes.txt": "" };
    await using dir = await tempDir({ "w/": "" });
    await Deno.mkdir(dir.join("journal"));
    for (const [name, text] of Object.entries(others)) {
      await Deno.writeTextFile(dir.join("journal", name), text);
    }
    deepStrictEqual(await recoverJournals(dir.join("journal"), filesIn(dir.join("w"))), []);
    deepStrictEqual(await textsIn(dir.join("journal")), others);
  });
  await t.step("no folder at all", async () => {
    await using dir = await tempDir();
    deepStrictEqual(await recoverJournals(dir.join("journal"), filesIn(dir.path)), []);
  });
});

Deno.test("recoverJournals() removes a record that was never finished", async () => {
  await using dir = await tempDir({ "journal/x.draft": '{"format":1,' });
  deepStrictEqual(await recoverJournals(dir.join("journal"), filesIn(dir.path)), []);
  deepStrictEqual(await textsIn(dir.join("journal")), {});
});

Deno.test("a journal's records are for its owner alone", async () => {
  await using dir = await tempDir();
  await abandon(dir.join("journal"), [entry("/w/a", "secret", "2")]);
  const [record] = await Array.fromAsync(Deno.readDir(dir.join("journal")));
  strictEqual(((await Deno.stat(dir.join("journal"))).mode ?? 0) & 0o777, 0o700);
  strictEqual(
    ((await Deno.stat(dir.join("journal", record?.name ?? ""))).mode ?? 0) & 0o777,
    0o600,
  );
});
