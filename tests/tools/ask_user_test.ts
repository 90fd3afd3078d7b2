import { deepStrictEqual, rejects } from "node:assert/strict";
import { type Rights, toolStatuses } from "../../agent/rights.ts";
import { askUser } from "../../tools/ask_user.ts";
import type { Person, PersonQuestion, ToolContext } from "../../tools/tool.ts";

/** Asks a person; the questions that they were asked, and what the model reads. */
async function ask(args: Record<string, unknown>, person: Person["ask"], signal?: AbortSignal) {
  const parsed = askUser.parameters.parse(args);
  if (!parsed.ok) throw new TypeError(parsed.problems.join());
  const asked: PersonQuestion[] = [];
  const context: ToolContext<typeof askUser.needs> = {
    callId: "1",
    signal: signal ?? new AbortController().signal,
    progress() {},
    person: {
      ask(question, signal) {
        asked.push(question);
        return person(question, signal);
      },
    },
  };
  const value = await askUser.run(parsed.value, context, { touches: [] });
  return { asked, value, content: askUser.render(value) };
}

Deno.test("ask_user", async (t) => {
  await t.step("hands on the question, and what the person said", async () => {
    const args = { question: "Which port?", options: ["80", "8080"], default: "80" };
    deepStrictEqual(await ask(args, () => Promise.resolve("8080")), {
      asked: [args],
      value: { answer: "8080" },
      content: [{ type: "text", text: "8080" }],
    });
  });
  await t.step("says that there was no answer", async () => {
    const { value, content } = await ask({ question: "?" }, () => Promise.resolve(undefined));
    const text = "Take the safest way yourself, and say what you assumed.\n[no answer]";
    deepStrictEqual([value, content], [{ answer: null }, [{ type: "text", text }]]);
  });
  await t.step("an empty answer is one", async () => {
    const { value } = await ask({ question: "?" }, () => Promise.resolve(""));
    deepStrictEqual(value, { answer: "" });
  });
  await t.step("a question that was withdrawn has none", async () => {
    const stop = new AbortController();
    const withdrawn = ask({ question: "?" }, () => {
      stop.abort(new Error("stopped"));
      return Promise.resolve(undefined);
    }, stop.signal);
    await rejects(withdrawn, /stopped/);
  });
  const wrong: [name: string, args: Record<string, unknown>][] = [
    ["no question", { question: "" }],
    ["options that are no texts", { question: "?", options: [1] }],
    ["another parameter", { question: "?", approve: true }],
  ];
  for (const [name, args] of wrong) {
    await t.step(`refuses ${name}`, () => {
      deepStrictEqual(askUser.parameters.parse(args).ok, false);
    });
  }
});

Deno.test("ask_user is offered where a person can be asked", () => {
  const rights: Rights = {
    grants: { allows: () => true, extent: () => "all", denied: () => [] },
    confinement: { tier: "1", tierReason: "", profile: "plan" },
    workspace: "/w",
    applyModel: false,
    net: "none",
    search: false,
    executable: "/cordon",
  };
  const missing = (hasPerson: boolean) =>
    toolStatuses([askUser], new Set(), { ...rights, hasPerson })[0]?.missing;
  deepStrictEqual(missing(true), []);
  deepStrictEqual(missing(false), [
    "nobody can be asked: only in a conversation, at a terminal or in an editor that has forms",
  ]);
});
