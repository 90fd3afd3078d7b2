import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import {
  findSession,
  listSessions,
  summarise,
  surveySessions,
} from "../../../agent/session/list.ts";
import { createSession } from "../../../agent/session/log.ts";
import { hasProgram } from "../../helpers/has_program.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { handWritten, headerFields, options, said } from "./fixtures.ts";

const HAS_MKFIFO = await hasProgram("mkfifo");

Deno.test("listSessions() tells of each session, the one changed last first", async () => {
  await using dir = await tempDir();
  const setup = options(dir.path);
  const first = await createSession(setup);
  const second = await createSession({ ...setup, cwd: "/else" });
  await second.append(said("second"));
  await second.close("turn_limit");
  await first.append({ type: "settings", model: "m1" });
  await first.append(said("first\nof all"));
  await first.append(said("and more"));
  const at = (seconds: number) => new Date(Date.UTC(2026, 11, 1, 10, 15, seconds));
  deepStrictEqual(await listSessions(dir.path), [
    {
      ...{ id: first.id, cwd: "/work", created: at(30), changed: at(36) },
      firstPrompt: "first\nof all",
    },
    {
      ...{ id: second.id, cwd: "/else", created: at(31), changed: at(33) },
      ...{ firstPrompt: "second", endReason: "turn_limit" },
    },
  ]);
  await first.close("done");
});

Deno.test("listSessions() finds first prompt and end of long logs", async () => {
  await using dir = await tempDir();
  const session = await createSession(options(dir.path));
  const long = "p".repeat(100_000);
  await session.append(said(long));
  for (let n = 0; n < 20; n++) await session.append(said("x".repeat(30_000)));
  await session.close("done");
  const [summary] = await listSessions(dir.path);
  deepStrictEqual([summary?.firstPrompt, summary?.endReason], [long, "done"]);
});

Deno.test("surveySessions() tells what is no log from a torn one", async () => {
  await using dir = await tempDir({
    "notes.txt": "",
    "empty.jsonl": "",
    "foreign.jsonl": '{"type":"session"}\n',
    "folder.jsonl/": "",
  });
  await handWritten(dir.path, "newer", [{ ...headerFields("newer"), format: 2 }]);
  // Nobody writes to it, so that whoever opened it would wait.
  if (HAS_MKFIFO) await new Deno.Command("mkfifo", { args: [dir.join("pipe.jsonl")] }).output();
  const path = await handWritten(dir.path, "torn", [headerFields("torn")]);
  await Deno.writeTextFile(path, '{"type":"us', { append: true });
  await Deno.symlink(dir.join("nowhere"), dir.join("link.jsonl"));
  const { sessions: [torn, ...rest], unreadable } = await surveySessions(dir.path);
  deepStrictEqual(rest, []);
  deepStrictEqual([torn?.id, torn?.firstPrompt, torn?.endReason], ["torn", undefined, undefined]);
  const noHeader = "its first line is no header of a session of ours";
  deepStrictEqual(
    new Map(unreadable.map(({ id, problem }) => [id, problem])),
    new Map([
      ["newer", "it has format 2, and this version reads up to 1: a newer Cordon can"],
      ["foreign", noHeader],
      ["empty", "it is empty"],
      ["folder", "Is a directory (os error 21)"],
    ]),
  );
  deepStrictEqual(await surveySessions(dir.join("none")), { sessions: [], unreadable: [] });
});

Deno.test("summarise()", async () => {
  await using dir = await tempDir({ "foreign.jsonl": "hello\n" });
  await handWritten(dir.path, "ours", [headerFields("ours")]);
  strictEqual((await summarise(dir.path, "ours"))?.cwd, "/work");
  strictEqual(await summarise(dir.path, "foreign"), undefined);
  await rejects(summarise(dir.path, "none"), { kind: "missing" });
});

Deno.test("findSession() by a part of the id", async (t) => {
  await using dir = await tempDir({
    "20261201-101530-7f3a.jsonl": "",
    "20261201-101531-7f3b.jsonl": "",
    "20261201-101531-7f3b-2.jsonl": "",
  });
  const cases: [part: string, want: unknown][] = [
    ["7f3a", { kind: "found", id: "20261201-101530-7f3a" }],
    ["20261201-101531-7f3b", { kind: "found", id: "20261201-101531-7f3b" }],
    ["7f3b", {
      kind: "ambiguous",
      sessions: [{ id: "20261201-101531-7f3b-2" }, { id: "20261201-101531-7f3b" }],
    }],
    ["zzzz", { kind: "none" }],
    ["", { kind: "none" }],
    ["../", { kind: "none" }],
  ];
  for (const [part, want] of cases) {
    await t.step(`"${part}"`, async () => {
      deepStrictEqual(await findSession(dir.path, { part }), want);
    });
  }
});

Deno.test("findSession() takes the latest of a folder in which something was said", async () => {
  await using dir = await tempDir();
  const setup = options(dir.path);
  const spoken = await createSession(setup);
  await spoken.append(said("hi"));
  const sessions = [
    spoken,
    await createSession(setup),
    await createSession({ ...setup, cwd: "/b" }),
  ];
  deepStrictEqual(await findSession(dir.path, { cwd: "/work", latest: true }), {
    kind: "found",
    id: spoken.id,
  });
  deepStrictEqual(await findSession(dir.path, { cwd: "/b", latest: true }), { kind: "none" });
  for (const session of sessions) await session.close("done");
});

Deno.test("findSession() by a name or a part of it", async (t) => {
  await using dir = await tempDir();
  const setup = options(dir.path);
  const named = async (name: string | undefined, close: boolean) => {
    const session = await createSession(setup);
    await session.append(said("hello"));
    if (name !== undefined) await session.append({ type: "name", name });
    await session.append(said("more"));
    if (close) await session.close("done");
    return session;
  };
  const parser = await named("Date parser", true);
  const tests = await named("parser tests", false);
  await named(undefined, true);
  const cases: [part: string, want: unknown][] = [
    ["Date parser", { kind: "found", id: parser.id }],
    ["DATE", { kind: "found", id: parser.id }],
    // Of one that is open, or broke off, the name is found inside.
    ["tests", { kind: "found", id: tests.id }],
    ["parser", {
      kind: "ambiguous",
      sessions: [
        { id: tests.id, name: "parser tests", firstPrompt: "hello" },
        { id: parser.id, name: "Date parser", firstPrompt: "hello" },
      ],
    }],
    ["lexer", { kind: "none" }],
  ];
  for (const [part, want] of cases) {
    await t.step(`"${part}"`, async () => {
      deepStrictEqual(await findSession(dir.path, { part }), want);
    });
  }
  await t.step("a name that is taken away", async () => {
    await tests.append({ type: "name", name: "" });
    deepStrictEqual(await findSession(dir.path, { part: "tests" }), { kind: "none" });
  });
  await tests.close("done");
});
