import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { chooseCut, type KeepBudget } from "../../../agent/compaction/cut.ts";
import { summaryText } from "../../../agent/compaction/kept_facts.ts";
import type { Message } from "../../../agent/messages.ts";
import { Conversation } from "../../../agent/session/conversation.ts";
import type { LogRecord, NewRecord } from "../../../agent/session/records.ts";
import { answer, anyRecord, result, said, unpaired } from "../session/fixtures.ts";

function fold(records: readonly NewRecord[]): Conversation {
  const conversation = new Conversation();
  records.forEach((record, i) => conversation.apply(stamped(record, i)));
  return conversation;
}

function stamped(record: NewRecord, i: number): LogRecord {
  return { id: `r${i + 1}`, parent: `r${i}`, time: "2026-12-01T10:15:30.000Z", ...record };
}

/** A cut where each message has the tokens that `sizes` gives it, 10 where it gives none. */
function cut(conversation: Conversation, budget: KeepBudget, sizes: readonly number[] = []) {
  const { messages } = conversation;
  return chooseCut({
    messages,
    sourceOf: (index) => conversation.sourceOf(index),
    summary: conversation.lastCompaction?.id,
    tokensOf: (message) => sizes[messages.indexOf(message)] ?? 10,
  }, budget);
}

const turn = (id: string) => [answer("look", [id, "bash"]), result(id, 1)];
const compaction: NewRecord = { type: "compaction", replaces_to: "r2", summary: "SUM" };

Deno.test("chooseCut()", async (t) => {
  const long = [said("task"), ...turn("c1"), ...turn("c2"), ...turn("c3"), answer("done")];
  const cases: [name: string, NewRecord[], KeepBudget, sizes: number[], want?: number][] = [
    ["keeps what fits the tail", long, { tail: 30, lastTurn: 40 }, [], 5],
    ["parts no call from its result", long, { tail: 25, lastTurn: 40 }, [], 7],
    ["keeps the last message, whatever its size", long, { tail: 5, lastTurn: 40 }, [], 7],
    [
      "keeps the last answer with its results, whatever their size",
      long.slice(0, -1),
      { tail: 5, lastTurn: 40 },
      [10, 10, 10, 10, 10, 10, 5_000],
      5,
    ],
    [
      "keeps the last thing said and what followed, where it fits",
      [...long, said("more"), ...turn("c4")],
      { tail: 5, lastTurn: 40 },
      [],
      8,
    ],
    [
      "lets it go where it does not fit",
      [...long, said("more"), ...turn("c4"), ...turn("c5")],
      { tail: 20, lastTurn: 40 },
      [],
      11,
    ],
    ["finds nothing in one message", [said("task")], { tail: 5, lastTurn: 0 }, []],
    ["finds nothing in nothing", [], { tail: 5, lastTurn: 0 }, []],
    ["finds nothing before the only turn that fits", long, { tail: 40, lastTurn: 80 }, []],
    [
      "sums a summary up with what followed",
      [said("a"), answer("b"), compaction, said("c"), answer("d")],
      { tail: 20, lastTurn: 10 },
      [],
      2,
    ],
    [
      "sums no summary up alone",
      [said("a"), answer("b"), compaction, said("c"), answer("d")],
      { tail: 20, lastTurn: 20 },
      [],
    ],
    [
      "parts no messages that one record made",
      [said("a"), answer("b"), answer("look", ["c1", "bash"]), said("stop")],
      { tail: 10, lastTurn: 0 },
      [],
      2,
    ],
  ];
  for (const [name, records, budget, sizes, want] of cases) {
    await t.step(name, () => strictEqual(cut(fold(records), budget, sizes), want));
  }
});

Deno.test("a compaction of any log at any cut leaves it valid, and the task in it", () => {
  const budgets = fc.record({ tail: fc.nat(200), lastTurn: fc.nat(200) });
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 40 }), budgets, (records, budget) => {
      // What is compacted is a conversation whose calls are answered.
      const log: NewRecord[] = [said("THE TASK"), ...records, said("on")];
      const conversation = fold(log);
      const at = cut(conversation, budget);
      if (at === undefined) return;
      const kept = conversation.messages.slice(at);
      const text = summaryText("SUM", {
        ...{ conversation, cut: at, jobs: [], children: [], maxCharacters: 1_000 },
      });
      const replaces_to = conversation.sourceOf(at - 1) ?? "";
      const record: NewRecord = { type: "compaction", replaces_to, summary: text };
      conversation.apply(stamped(record, log.length));
      deepStrictEqual(conversation.messages.slice(1), kept);
      deepStrictEqual(unpaired(conversation.messages), []);
      deepStrictEqual(conversation.messages[0], {
        role: "user",
        content: [{ type: "text", text }],
      });
      strictEqual(conversation.messages[1]?.role === "tool", false);
      ok(texts(conversation).includes("THE TASK"));
      deepStrictEqual(fold([...log, record]).messages, conversation.messages);
    }),
    { numRuns: 500 },
  );
});

function texts({ messages }: { readonly messages: readonly Message[] }): string {
  return JSON.stringify(messages);
}
