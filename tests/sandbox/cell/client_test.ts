import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { type CellFiles, createCellFiles } from "../../../sandbox/cell/client.ts";
import { MAX_CHUNK_BYTES } from "../../../sandbox/cell/frames.ts";
import { PROTOCOL_VERSION } from "../../../sandbox/cell/messages.ts";
import { CommandError } from "../../../sandbox/commands/commands.ts";
import { type FakeCell, fakeCell, type FakeProcess } from "../../helpers/fake_cell.ts";

type Play = (cell: FakeCell) => Promise<void>;

/** Files through cells that play one part after the other; the last part is played again. */
function filesOf(plays: readonly [Play, ...Play[]], timeoutMs = 60_000) {
  const started: FakeProcess[] = [];
  const files = createCellFiles({
    spawn() {
      const play = plays[Math.min(started.length, plays.length - 1)] ?? plays[0];
      const process = fakeCell(play);
      started.push(process);
      return process;
    },
    roots: { workspace: "/w" },
    cwd: () => "/w",
    timeoutMs,
  });
  return { files, started };
}

const HELLO = { type: "hello", version: PROTOCOL_VERSION };

/** A cell that says hello and then plays on. */
function greeting(then: Play): Play {
  return async (cell) => {
    await cell.next();
    await cell.send(HELLO);
    await then(cell);
  };
}

const LIST = { ok: true, path: ".", entries: [] };

/** Answers every request for a list. */
const honest = greeting(async (cell) => {
  while (true) await cell.send({ type: "answer", id: idOf(await cell.next()), value: LIST });
});

function idOf({ head }: { head: unknown }): number {
  return (head as { id: number }).id;
}

/** Sends this instead of an answer, with the id of the request put in. */
function answering(value: unknown, body?: Uint8Array): Play {
  return greeting(async (cell) => {
    const id = idOf(await cell.next());
    await cell.send({ type: "answer", id, value }, body);
    await cell.next();
  });
}

const SURVEY = { ok: true, stopped: false, unreadable: 0 };
const STAMP = { path: "a", size: 1, mtimeMs: 0, inode: 7 };

/** The body of a survey of one file, some of it otherwise. */
function columns(others: Readonly<Record<string, unknown>>): Uint8Array {
  const all = { paths: ["a"], sizes: [1], mtimes: [0], inodes: [7], ...others };
  return new TextEncoder().encode(JSON.stringify(all));
}

const FACTS = { path: "a", real: "/w/a", kind: "file", size: 1, mtimeMs: 0, mode: 0o644 };
const VERSION = { size: 1, hash: "a".repeat(64) };

Deno.test("what a cell must not say ends it, and is never handed on", async (t) => {
  const raw = (bytes: Uint8Array): Play =>
    greeting(async (cell) => {
      await cell.next();
      await cell.write(bytes);
    });
  const said = (head: unknown): Play =>
    greeting(async (cell) => {
      await cell.next();
      await cell.send(head);
    });
  const cases: [name: string, play: Play, ask?: (files: CellFiles) => Promise<unknown>][] = [
    ["bytes that are no message", raw(new TextEncoder().encode("panicked at src/main.rs"))],
    ["no object", said(7)],
    ["an unknown type", said({ type: "request", id: 1 })],
    ["an answer to nothing", said({ type: "answer", id: 99, value: LIST })],
    ["a failure without an error", said({ type: "failure", id: 1 })],
    ["another hello", said(HELLO)],
    ["a list that is none", answering({ ok: true, path: "." })],
    ["a list of a wrong entry", answering({ ...LIST, entries: [{ name: 1 }] })],
    ["the answer to something else", answering({ ok: true, facts: FACTS })],
    ["an unknown reason", answering({ ok: false, reason: "because", path: "a", message: "m" })],
    [
      "a content of another size",
      answering({ ok: true, facts: FACTS, version: VERSION }, new Uint8Array(2)),
      (files) => files.read("a"),
    ],
    [
      "a survey without its stamps",
      answering(SURVEY, new TextEncoder().encode("no JSON")),
      (files) => files.survey("."),
    ],
    [
      "a survey whose columns differ",
      answering(SURVEY, columns({ sizes: [] })),
      (files) => files.survey("."),
    ],
    [
      "a survey with a word for a number",
      answering(SURVEY, columns({ inodes: ["7"] })),
      (files) => files.survey("."),
    ],
    [
      "contents shorter than they say",
      answering({ ok: true, items: [{ ...STAMP, length: 3 }] }, new Uint8Array(2)),
      (files) => files.readMany({ folder: ".", paths: ["a"], maxBytes: 9, maxFileBytes: 9 }),
    ],
    [
      "a hash that is none",
      answering({ ok: true, facts: FACTS, version: { size: 1, hash: "x" } }, new Uint8Array(1)),
      (files) => files.read("a"),
    ],
    [
      "permission bits that are none",
      answering({ ok: true, facts: { ...FACTS, mode: 0o10000 } }),
      (files) => files.stat("a"),
    ],
    [
      "a stale refusal without its content",
      answering({ ok: false, reason: "stale", path: "a", message: "m" }),
      (files) => files.remove("a", VERSION),
    ],
  ];
  for (const [name, play, ask = (files: CellFiles) => files.list(".")] of cases) {
    await t.step(name, async () => {
      const { files, started } = filesOf([play]);
      await using _ = files;
      await rejects(ask(files), /: the cell was lost before it answered, it was ended: /);
      ok(started.every(({ killed }) => killed));
    });
  }
  await t.step("and an honest answer is handed on", async () => {
    const { files } = filesOf([honest]);
    await using _ = files;
    deepStrictEqual(await files.list("."), LIST);
  });
  await t.step("without what does not belong to it", async () => {
    const entry = { name: "a", kind: "file", size: 1 };
    const value = { ...LIST, entries: [{ ...entry, extra: 1 }], extra: 1 };
    const { files } = filesOf([answering(value)]);
    await using _ = files;
    deepStrictEqual(await files.list("."), { ...LIST, entries: [entry] });
  });
});

Deno.test("a cell that does not start is told to who asks, and tried anew for the next", async (t) => {
  const cases: [name: string, play: Play, message: RegExp][] = [
    [
      "it ends",
      async (cell) => {
        await cell.complain("\x1b[31mbwrap: no\x1b[0m such file\n");
        await cell.exit(1);
      },
      /^Cannot list "\.": the cell did not start, it ended with exit code 1: bwrap: no such file$/,
    ],
    [
      "it speaks another version",
      async (cell) => {
        await cell.next();
        await cell.send({ type: "hello", version: PROTOCOL_VERSION + 1 });
      },
      /^Cannot list "\.": the cell did not start, it was ended: it speaks version \d+ and not \d+$/,
    ],
    [
      "it says something else first",
      async (cell) => {
        await cell.next();
        await cell.send({ type: "answer", id: 1, value: LIST });
      },
      /did not start, it was ended: an answer came that nobody asked for$/,
    ],
  ];
  for (const [name, play, message] of cases) {
    await t.step(name, async () => {
      const { files, started } = filesOf([play, honest]);
      await using _ = files;
      await rejects(files.list("."), (error: Error) => message.test(error.message));
      deepStrictEqual(await files.list("."), LIST);
      strictEqual(started.length, 2);
    });
  }
  await t.step("it cannot be spawned", async () => {
    let spawns = 0;
    await using files = createCellFiles({
      spawn() {
        if (++spawns === 1) throw new CommandError("Cannot start x: not found");
        return fakeCell(honest);
      },
      roots: { workspace: "/w" },
      cwd: () => "/w",
    });
    files.start();
    await rejects(files.list("."), CommandError);
    deepStrictEqual(await files.list("."), LIST);
  });
});

/** Takes so many requests and dies. */
function dyingAfter(count: number): Play {
  return greeting(async (cell) => {
    for (let taken = 0; taken < count; taken++) await cell.next();
    await cell.exit(139);
  });
}

Deno.test("when a cell dies, who only looks is answered by the next one", async () => {
  const { files, started } = filesOf([dyingAfter(2), honest]);
  await using _ = files;
  deepStrictEqual(await Promise.all([files.list("."), files.list(".")]), [LIST, LIST]);
  strictEqual(started.length, 2);
});

Deno.test("but not for ever", async () => {
  const { files, started } = filesOf([dyingAfter(1)]);
  await using _ = files;
  const lost =
    /^Cannot list "\.": the cell was lost before it answered, it ended with exit code 139$/;
  await rejects(files.list("."), (error: Error) => lost.test(error.message));
  strictEqual(started.length, 2);
});

Deno.test("and who changes files is told that nobody knows", async () => {
  const { files, started } = filesOf([dyingAfter(3), honest]);
  await using _ = files;
  const answers = await Promise.allSettled([
    files.create("a", new Uint8Array()),
    files.replace("b", VERSION, []),
    files.list("."),
  ]);
  const words = answers.map((answer) =>
    answer.status === "fulfilled" ? answer.value : answer.reason.message
  );
  const rest = "the cell was lost before it answered, it ended with exit code 139; " +
    "it may have been done, so look before you try again";
  deepStrictEqual(words, [`Cannot create "a": ${rest}`, `Cannot replace "b": ${rest}`, LIST]);
  strictEqual(started.length, 2);
});

Deno.test("a cell that does not answer in time is ended, and its request fails", async () => {
  const silent = greeting(async (cell) => {
    await cell.next();
    await cell.next();
  });
  const { files, started } = filesOf([silent, honest], 50);
  await using _ = files;
  await rejects(files.list("."), (error: Error) => {
    strictEqual(error.message, 'Cannot list ".": no answer within 50 ms');
    return error instanceof Deno.errors.TimedOut;
  });
  ok(started[0]?.killed);
  deepStrictEqual(await files.list("."), LIST);
});

Deno.test("an endless answer and an endless complaint take bounded memory", async () => {
  const chunk = new Uint8Array(5 + MAX_CHUNK_BYTES);
  new DataView(chunk.buffer).setUint32(0, 1 + MAX_CHUNK_BYTES);
  chunk[4] = 1;
  const flooding = greeting(async (cell) => {
    await cell.next();
    let heard = 0;
    // Nobody listens any more after a while.
    await rejects(async () => {
      for (;; heard++) await cell.complain("x".repeat(10_000));
    });
    ok(heard < 200);
    while (true) await cell.write(chunk);
  });
  const { files } = filesOf([flooding]);
  await using _ = files;
  await rejects(files.list("."), /a message has more than \d+ bytes$/);
});

Deno.test("requests are answered in any order, each its own", async () => {
  const reversing = greeting(async (cell) => {
    const ids = [idOf(await cell.next()), idOf(await cell.next()), idOf(await cell.next())];
    for (const id of ids.reverse()) {
      await cell.send({ type: "answer", id, value: { ...LIST, path: String(id) } });
    }
    await cell.next();
  });
  const { files } = filesOf([reversing]);
  await using _ = files;
  const answers = await Promise.all(["a", "b", "c"].map((path) => files.list(path)));
  deepStrictEqual(answers.map((answer) => answer.path), ["1", "2", "3"]);
});

Deno.test("abort gives a request up, whatever the cell does about it", async (t) => {
  await t.step("while the cell is still starting", async () => {
    const abort = new AbortController();
    const { files } = filesOf([async (cell) => {
      await cell.next();
      abort.abort(new Error("stop"));
      await cell.send(HELLO);
      await cell.next();
    }]);
    await using _ = files;
    await rejects(files.abortedBy(abort.signal).list("."), /^Error: stop$/);
  });
  await t.step("before it was asked", async () => {
    const { files, started } = filesOf([honest]);
    await using _ = files;
    await rejects(files.abortedBy(AbortSignal.abort(new Error("stop"))).list("."), /stop/);
    strictEqual(started.length, 0);
  });
  await t.step("while the cell works on it, and the next request is answered", async () => {
    const abort = new AbortController();
    const heard: unknown[] = [];
    const { files, started } = filesOf([greeting(async (cell) => {
      const id = idOf(await cell.next());
      abort.abort(new Error("stop"));
      heard.push((await cell.next()).head);
      await cell.send({ type: "answer", id, value: LIST });
      await cell.send({ type: "answer", id: idOf(await cell.next()), value: LIST });
      await cell.next();
    })]);
    await using _ = files;
    await rejects(files.abortedBy(abort.signal).list("."), /^Error: stop$/);
    deepStrictEqual(await files.list("."), LIST);
    deepStrictEqual([heard, started.length], [[{ type: "cancel", id: 1 }], 1]);
  });
  await t.step(
    "while the cell hangs on it: then it is ended, and what waits is asked anew",
    async () => {
      const abort = new AbortController();
      const { files, started } = filesOf([
        greeting(async (cell) => {
          await cell.next();
          abort.abort(new Error("stop"));
          while (true) await cell.next();
        }),
        honest,
      ]);
      await using _ = files;
      const given = rejects(files.abortedBy(abort.signal).list("."), /^Error: stop$/);
      deepStrictEqual(await files.list("."), LIST);
      await given;
      deepStrictEqual([started.length, started[0]?.killed], [2, true]);
    },
  );
});

Deno.test("start() starts once, and the first request waits for it", async () => {
  const { files, started } = filesOf([honest]);
  await using _ = files;
  files.start();
  files.start();
  deepStrictEqual(await files.list("."), LIST);
  files.start();
  strictEqual(started.length, 1);
});

Deno.test("nothing is started before it is needed, or after the end", async () => {
  const { files, started } = filesOf([honest]);
  await files[Symbol.asyncDispose]();
  await rejects(files.list("."), /the session has ended$/);
  files.start();
  strictEqual(started.length, 0);
});

Deno.test("the end ends a cell that is still starting, and one that does not listen", async (t) => {
  const deaf: Play = async () => {};
  await t.step("starting", async () => {
    const { files, started } = filesOf([deaf]);
    files.start();
    const asked = files.list(".");
    await Promise.all([
      rejects(asked, /is not wanted any more/),
      files[Symbol.asyncDispose](),
    ]);
    ok(started[0]?.killed);
  });
  await t.step("running", async () => {
    const asking = Promise.withResolvers<void>();
    const { files, started } = filesOf([greeting(async (cell) => {
      await cell.next();
      asking.resolve();
    })]);
    const asked = rejects(files.list("."), /is not wanted any more/);
    await asking.promise;
    await files[Symbol.asyncDispose]();
    await asked;
    ok(started[0]?.killed);
  });
});

Deno.test("what is larger than a message is refused and not sent", async () => {
  const { files } = filesOf([honest]);
  await using _ = files;
  const huge = new Uint8Array(64 * 1024 * 1024 + 1);
  const refusals = [
    await files.create("a", huge),
    await files.replace("a", VERSION, [{ start: 0, end: 0, bytes: huge }]),
  ];
  deepStrictEqual(refusals.map((answer) => !answer.ok && answer.reason), [
    "too_large",
    "too_large",
  ]);
});
