import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { SessionLogError } from "../../../agent/session/error.ts";
import {
  createSession,
  memorySession,
  openSession,
  type Session,
} from "../../../agent/session/log.ts";
import { readLog } from "../../../agent/session/read_log.ts";
import type { LogRecord, NewRecord } from "../../../agent/session/records.ts";
import { schema } from "../../../tools/schema.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import {
  answer,
  anyRecord,
  handWritten,
  headerFields,
  linesIn,
  ONE_OF_EACH,
  options,
  said,
  unpaired,
} from "./fixtures.ts";

const now = () => new Date(Date.UTC(2026, 11, 2));
const stamp = { time: "2026-12-01T10:15:31.000Z" };

Deno.test("createSession() writes a header and a line for each record", async () => {
  await using dir = await tempDir();
  const session = await createSession({ ...options(dir.join("state/sessions")), parent: "p" });
  strictEqual(await session.append(said("hi")), "r1");
  await session.close("done");
  const header = { ...headerFields("20261201-101530-0000"), parent: "p" };
  deepStrictEqual(await linesIn(session.path ?? ""), [
    header,
    { id: "r1", parent: session.id, time: "2026-12-01T10:15:31.000Z", ...said("hi") },
    { id: "r2", parent: "r1", time: "2026-12-01T10:15:32.000Z", type: "end", reason: "done" },
  ]);
});

Deno.test("createSession() keeps others out", { ignore: Deno.build.os === "windows" }, async () => {
  await using dir = await tempDir();
  const session = await createSession(options(dir.join("sessions")));
  const folder = await session.makeFolder() ?? "";
  const blob = await session.blobs.save("a.png", new Uint8Array([1])) ?? "";
  await session.close("done");
  const paths = [dir.join("sessions"), session.path ?? "", folder, blob];
  const modes = await Promise.all(paths.map(async (path) => (await Deno.stat(path)).mode ?? 0));
  deepStrictEqual(modes.map((mode) => (mode & 0o777).toString(8)), ["700", "600", "700", "600"]);
});

Deno.test("createSession() takes another id where one is taken", async () => {
  await using dir = await tempDir();
  const digits = ["aaaa", "aaaa", "bbbb"];
  const setup = { ...options(dir.path), now, random: () => digits.shift() ?? "cccc" };
  const sessions = [await createSession(setup), await createSession(setup)];
  deepStrictEqual(sessions.map((s) => s.id), ["20261202-000000-aaaa", "20261202-000000-bbbb"]);
  for (const session of sessions) await session.close("done");
});

Deno.test("createSession() says where it cannot begin", async () => {
  await using dir = await tempDir({ "file": "" });
  await rejects(createSession(options(dir.join("file/sessions"))), {
    name: "SessionLogError",
    kind: "write",
    message: /^Cannot begin a session in ".*sessions": /,
  });
});

Deno.test("openSession() goes on where the log stands", async () => {
  await using dir = await tempDir();
  const first = await createSession(options(dir.path));
  await first.append(said("one"));
  await first.append(answer("two"));
  await first.close("done");
  const again = await openSession({ folder: dir.path, id: first.id, now });
  deepStrictEqual(derived(again), derived(first));
  strictEqual(await again.append(said("three")), "r4");
  await again.close("done");
  const third = await openSession({ folder: dir.path, id: first.id, now });
  deepStrictEqual(third.conversation.messages.length, 3);
  deepStrictEqual(third.header, first.header);
  await third.close("done");
});

Deno.test("openSession() resumes a log cut at any byte of its last record", async (t) => {
  for (const [i, { type }] of ONE_OF_EACH.entries()) {
    await t.step(type, async () => {
      await using dir = await tempDir();
      const bytes = await written(dir.path, ONE_OF_EACH.slice(0, i + 1));
      const start = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
      for (let cut = start; cut <= bytes.length; cut++) {
        await Deno.writeFile(dir.join("cut.jsonl"), bytes.subarray(0, cut));
        const resumed = await openSession({ folder: dir.path, id: "cut", now });
        deepStrictEqual(unpaired(resumed.conversation.messages), [], `cut at ${cut}`);
        await resumed.close("done");
        const log = readLog(await Deno.readFile(dir.join("cut.jsonl")), "cut");
        // All that was whole is there, and what was cut is gone.
        const kept = log.records.slice(0, i + 1).map((record) => record.type);
        const whole = cut >= bytes.length - 1 ? i + 1 : i;
        deepStrictEqual(kept.slice(0, whole), ONE_OF_EACH.slice(0, whole).map((r) => r.type));
        strictEqual(log.records.at(-1)?.type, "end");
      }
    });
  }
});

Deno.test("openSession() refuses a log cut inside its header", async () => {
  await using dir = await tempDir();
  const bytes = await written(dir.path, []);
  for (let cut = 0; cut < bytes.length - 1; cut++) {
    await Deno.writeFile(dir.join("cut.jsonl"), bytes.subarray(0, cut));
    await rejects(openSession({ folder: dir.path, id: "cut", now }), { kind: "unreadable" });
    strictEqual((await Deno.stat(dir.join("cut.jsonl"))).size, cut);
  }
  await Deno.writeFile(dir.join("cut.jsonl"), bytes.subarray(0, bytes.length - 1));
  await (await openSession({ folder: dir.path, id: "cut", now })).close("done");
});

Deno.test("openSession() answers open calls as interrupted, on disk as well", async () => {
  await using dir = await tempDir();
  const bytes = await written(dir.path, [said("a"), answer("b", ["c1", "x"], ["c2", "x"])]);
  await Deno.writeFile(dir.join("torn.jsonl"), bytes);
  await (await openSession({ folder: dir.path, id: "torn", now })).close("done");
  const rest = (await linesIn(dir.join("torn.jsonl"))).slice(3);
  const interrupted = { type: "tool_result", is_error: false, text: "[interrupted]", blobs: [] };
  const time = now().toISOString();
  deepStrictEqual(rest, [
    { id: "r3", parent: "r2", time, ...interrupted, call_id: "c1" },
    { id: "r4", parent: "r3", time, ...interrupted, call_id: "c2" },
    { id: "r5", parent: "r4", time, type: "end", reason: "done" },
  ]);
});

Deno.test("openSession() refuses what is no log", async (t) => {
  const header = headerFields("x");
  const user = { id: "r1", parent: "x", ...stamp, ...said("hi") };
  const end = { id: "r2", parent: "r1", ...stamp, type: "end", reason: "done" };
  const cases: [name: string, lines: Parameters<typeof handWritten>[2], want: RegExp][] = [
    [
      "an empty file",
      [],
      /: it is empty; cordon export x saves what can be read, cordon sessions delete x/,
    ],
    ["another program's lines", [{ type: "session", version: 3 }], /its first line is no header/],
    ["a header that lacks fields", [{ type: "header", format: 1 }], /its first line is no header/],
    ["text", ["# notes", "hello"], /its first line is no header/],
    [
      "a newer format",
      [{ ...header, format: 2 }],
      /format 2, and this version reads up to 1: a newer Cordon can; /,
    ],
    ["a torn line in the middle", [header, '{"type":"us', end], /: line 2 is no record \(/],
    ["a line off its schema", [header, { ...user, content: 7 }], /: line 2 is no record \(content/],
    ["a line that is no object", [header, "7"], /: line 2 is no record \(/],
    ["a missing line", [header, end], /: line 2 is no record \(it follows "r1", not "x"\); /],
  ];
  for (const [name, lines, want] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir();
      const path = await handWritten(dir.path, "x", lines);
      const before = await Deno.readTextFile(path);
      const error = await openSession({ folder: dir.path, id: "x", now }).catch((e) => e);
      ok(error instanceof SessionLogError);
      strictEqual(error.kind, "unreadable");
      match(error.message, want);
      strictEqual(await Deno.readTextFile(path), before);
    });
  }
  await t.step("but takes the whole one", async () => {
    await using dir = await tempDir();
    await handWritten(dir.path, "x", [header, user, end]);
    const session = await openSession({ folder: dir.path, id: "x", now });
    strictEqual(session.conversation.messages.length, 1);
    await session.close("done");
  });
});

Deno.test("openSession() says when there is no such session", async (t) => {
  await using dir = await tempDir({ "sessions/": "", "outside.jsonl": "" });
  for (const id of ["none", "../outside", ""]) {
    await t.step(`"${id}"`, async () => {
      await rejects(openSession({ folder: dir.join("sessions"), id, now }), { kind: "missing" });
    });
  }
});

Deno.test("openSession() refuses a second opener in this process", async () => {
  await using dir = await tempDir();
  const session = await createSession(options(dir.path));
  await rejects(openSession({ folder: dir.path, id: session.id, now }), { kind: "locked" });
  await session.close("done");
  await (await openSession({ folder: dir.path, id: session.id, now })).close("done");
});

Deno.test("a log keeps unknown types and fields, and what breaks readers of lines", async () => {
  await using dir = await tempDir();
  const lines = [
    { ...headerFields("x"), mood: { good: true } },
    { id: "r1", parent: "x", ...stamp, type: "telepathy", waves: [1, null] },
    { id: "r2", parent: "r1", ...stamp, ...answer("hi"), usage: { ...usage, cost_usd: 0.1 } },
    { id: "r3", parent: "r2", ...stamp, ...said("\u2028 \ud800 \0 \ufeff"), extra: "\u2029" },
  ];
  const path = await handWritten(dir.path, "x", lines);
  const { header, records } = readLog(await Deno.readFile(path), path);
  deepStrictEqual([header, ...records], lines);
});

const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 };

Deno.test("a log's lines end at line feeds only", async () => {
  await using dir = await tempDir();
  const bytes = await written(dir.path, [said("a\u2028b\u2029c\nd\re\0f\ud800g")]);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  strictEqual(text.split("\n").length, 3);
  strictEqual(/[\u2028\u2029\0\r\ufffd]/.test(text), false);
  const [record] = readLog(bytes, "x").records;
  deepStrictEqual(record, { ...record, ...said("a\u2028b\u2029c\nd\re\0f\ud800g") });
});

Deno.test("a log read back is the session that wrote it, whatever the records", async () => {
  await using dir = await tempDir();
  const property = fc.asyncProperty(fc.array(anyRecord, { maxLength: 20 }), async (records) => {
    const live = await createSession({ ...options(dir.path), random: () => crypto.randomUUID() });
    await Promise.all(records.map((record) => live.append(record)));
    const open = live.conversation.unanswered;
    await live.close("done");
    const { records: read } = readLog(await Deno.readFile(live.path ?? ""), "log");
    deepStrictEqual(read.slice(0, -1).map(unstamped), JSON.parse(JSON.stringify(records)));
    const again = await openSession({ folder: dir.path, id: live.id, now });
    // A resume adds the results of open calls, and nothing else.
    const { messages, ...rest } = derived(again);
    const { messages: before, ...restBefore } = derived(live);
    deepStrictEqual(messages.slice(0, before.length), before);
    strictEqual(messages.length, before.length + open.length);
    deepStrictEqual(rest, restBefore);
    await again.close("done");
  });
  await fc.assert(property, { numRuns: 60 });
});

Deno.test("append() refuses what could not be read back, and goes on", async () => {
  await using dir = await tempDir();
  const session = await createSession(options(dir.path));
  // NaN becomes null in JSON.
  const bad = { ...answer("a"), usage: { ...usage, input_tokens: NaN } };
  await rejects(session.append(bad as NewRecord), { name: "TypeError" });
  await session.append(said("hi"));
  await session.close("done");
  await rejects(session.append(said("late")), { name: "TypeError" });
  strictEqual((await linesIn(session.path ?? "")).length, 3);
});

Deno.test("close() can be called twice", async () => {
  await using dir = await tempDir();
  const session = await createSession(options(dir.path));
  await session.close("done");
  await session.close("failed");
  strictEqual((await linesIn(session.path ?? "")).length, 2);
});

Deno.test("memorySession() keeps the conversation and nothing on disk", async () => {
  const session = memorySession({ cwd: "/work", version: "0.1.0", now, random: () => "0000" });
  for (const record of ONE_OF_EACH) await session.append(record);
  strictEqual(session.conversation.turns, 2);
  strictEqual(await session.makeFolder(), undefined);
  strictEqual(await session.blobs.save("a.png", new Uint8Array([1])), undefined);
  deepStrictEqual(await session.blobs.load("a.png"), new Uint8Array([1]));
  deepStrictEqual([session.path, session.folder], [undefined, undefined]);
  await session.close("done");
});

/** Bytes of the log of a session that wrote `records` and ended without an `end`. */
async function written(folder: string, records: readonly NewRecord[]): Promise<Uint8Array> {
  const session = await createSession(options(join(folder, "written")));
  for (const record of records) await session.append(record);
  const bytes = await Deno.readFile(session.path ?? "");
  await session.close("done");
  return bytes;
}

/** What a session comes to. */
function derived({ conversation }: Session) {
  const { messages, usage, turns, settings } = conversation;
  const values = ["bash", "todo_write"].map((name) => conversation.latest({ name, result: any }));
  return { messages: [...messages], usage, turns, settings, values };
}

const any = schema(z.unknown());

function unstamped({ id: _, parent: __, time: ___, ...rest }: LogRecord): unknown {
  return rest;
}
