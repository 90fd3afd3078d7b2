import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import type {
  Child,
  ChildEndState,
  ChildFacts,
  Children,
  ChildRequest,
} from "../../tools/subagent/children.ts";
import { captureText } from "../../tools/subagent/result_text.ts";
import { runBatch } from "../../tools/subagent/run_batch.ts";
import { subagentBatch } from "../../tools/subagent_batch.ts";
import { subagentTool } from "../../tools/subagent.ts";
import { subagentWait } from "../../tools/subagent_wait.ts";

const NO_USAGE = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
};
const NEVER = new AbortController().signal;

/** A sub-agent that does what the test says. */
class FakeChild implements Child {
  readonly #watchers = new Set<() => void>();
  #facts: ChildFacts;
  isTold = false;
  #endIsTold = false;

  constructor(readonly id: string, readonly request: ChildRequest) {
    const { role, description = "" } = request;
    const start = { turns: 0, usage: NO_USAGE, durationMs: 0 };
    this.#facts = { id, role, description, state: "running", ...start };
  }

  facts = () => this.#facts;

  get isNews(): boolean {
    return this.#facts.end !== undefined && !this.#endIsTold;
  }

  set(facts: Partial<ChildFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
    for (const watcher of [...this.#watchers]) watcher();
  }

  end(state: ChildEndState, text = ""): void {
    if (!this.#facts.end) this.set({ state, end: { reason: state, text } });
  }

  async settled(): Promise<void> {
    while (!this.#facts.end && !this.#facts.question) {
      const { promise, resolve } = Promise.withResolvers<void>();
      using _watch = this.watch(resolve);
      await promise;
    }
  }

  watch(listener: () => void): Disposable {
    this.#watchers.add(listener);
    return { [Symbol.dispose]: () => void this.#watchers.delete(listener) };
  }

  reply = () => "told" as const;

  cancel(how: "cancelled" | "budget" = "cancelled"): Promise<void> {
    this.end(how);
    return Promise.resolve();
  }

  told(): void {
    this.isTold = true;
    this.#endIsTold = this.#facts.end !== undefined;
  }

  log = () => Promise.resolve("");
}

/** Sub-agents whose course `play` decides when they start; by default they end well. */
function fakeChildren(play: (child: FakeChild) => void = endWell) {
  const started: FakeChild[] = [];
  const children: Children = {
    roles: [{ name: "explore", description: "looks" }],
    start(request) {
      if (request.role === "none") return Promise.resolve({ ok: false, problem: "no such role" });
      const child = new FakeChild(`c${started.length + 1}`, request);
      started.push(child);
      play(child);
      return Promise.resolve({ ok: true, child });
    },
    find: (id) => started.find((child) => child.id === id),
    list: () => started,
  };
  return { children, started };
}

function endWell(child: FakeChild): void {
  queueMicrotask(() => child.end("success", `<${child.request.prompt}>`));
}

const call = { callId: "call_1", signal: NEVER, progress() {} };
const PLAN = { touches: [] };
const PARALLEL = { mode: "parallel", concurrency: 2, cancelOnFailure: false } as const;

Deno.test("runBatch() keeps the order of the tasks, and to its concurrency", async () => {
  const batch = fc.record({
    count: fc.integer({ min: 1, max: 12 }),
    seed: fc.infiniteStream(fc.nat(5)),
  });
  await fc.assert(fc.asyncProperty(batch, async ({ count, seed }) => {
    let working = 0;
    let most = 0;
    const { children } = fakeChildren(async (child) => {
      most = Math.max(most, ++working);
      for (let turns = seed.next().value ?? 0; turns > 0; turns--) await Promise.resolve();
      working--;
      child.end("success", child.request.prompt);
    });
    const tasks = Array.from({ length: count }, (_, n) => ({ prompt: `${n}` }));
    const items = await runBatch(tasks, children, PARALLEL, NEVER, () => {});
    deepStrictEqual(
      items.map((item) => item.kind === "ended" && item.child.facts().end?.text),
      tasks.map(({ prompt }) => prompt),
    );
    ok(most <= PARALLEL.concurrency);
  }));
});

Deno.test("runBatch() ends what works and starts no more, once it is to stop", async (t) => {
  const tasks = ["a", "bad", "c", "d"].map((prompt) => ({ prompt }));
  const play = (child: FakeChild) => {
    const { prompt } = child.request;
    if (prompt === "bad") queueMicrotask(() => child.end("failure"));
    // The others work until somebody ends them.
  };
  function outcome(items: Awaited<ReturnType<typeof runBatch>>): string[] {
    return items.map((item) => item.kind === "ended" ? item.child.facts().state : item.reason);
  }
  await t.step("after a failure", async () => {
    const { children } = fakeChildren(play);
    const options = { ...PARALLEL, cancelOnFailure: true };
    deepStrictEqual(outcome(await runBatch(tasks, children, options, NEVER, () => {})), [
      "cancelled",
      "failure",
      "c2 did not succeed",
      "c2 did not succeed",
    ]);
  });
  await t.step("when the budget of all is spent", async () => {
    const { children } = fakeChildren((child) =>
      queueMicrotask(() => child.set({ usage: { ...NO_USAGE, input_tokens: 6 } }))
    );
    const items = await runBatch(tasks, children, { ...PARALLEL, maxTokens: 10 }, NEVER, () => {});
    const spent = "the budget of the batch is spent";
    deepStrictEqual(outcome(items), ["budget", "budget", spent, spent]);
  });
  await t.step("when the turn is interrupted", async () => {
    const stop = new AbortController();
    const { children } = fakeChildren(() => queueMicrotask(() => stop.abort()));
    const items = await runBatch(tasks, children, PARALLEL, stop.signal, () => {});
    const why = "the batch was interrupted";
    deepStrictEqual(outcome(items), ["cancelled", "cancelled", why, why]);
  });
  await t.step("a failure alone ends nothing", async () => {
    const { children } = fakeChildren((child) =>
      child.request.prompt === "bad" ? queueMicrotask(() => child.end("failure")) : endWell(child)
    );
    const states = ["success", "failure", "success", "success"];
    deepStrictEqual(outcome(await runBatch(tasks, children, PARALLEL, NEVER, () => {})), states);
  });
});

Deno.test("a pipeline hands each result on, whatever is in it, and stops at a failure", async () => {
  const { children, started } = fakeChildren((child) =>
    queueMicrotask(() => child.end(started.length === 3 ? "failure" : "success", "$& {previous}"))
  );
  const tasks = [{ prompt: "first" }, { prompt: "with {previous}!" }, { prompt: "third" }, {
    prompt: "never",
  }];
  const options = { ...PARALLEL, mode: "pipeline" as const };
  const items = await runBatch(tasks, children, options, NEVER, () => {});
  deepStrictEqual(started.map(({ request }) => request.prompt), [
    "first",
    "with $& {previous}!",
    "third\n\nResult of the step before:\n$& {previous}",
  ]);
  deepStrictEqual(items.at(-1), { kind: "skipped", reason: "c3 did not succeed" });
});

Deno.test("subagent_batch tells of tasks that were not started, in their places", async () => {
  const { children, started } = fakeChildren();
  const args = subagentBatch.parameters.parse({
    tasks: [{ prompt: "a", role: "none" }, { prompt: "b" }],
  });
  ok(args.ok);
  const value = await subagentBatch.run(args.value, { ...call, children }, PLAN);
  strictEqual(value.succeeded, 1);
  const [content] = subagentBatch.render(value);
  match(
    content?.type === "text" ? content.text : "",
    /^\[1 of 2 succeeded\]\n\n1\. not started: no such role\n\n2\. c1 /,
  );
  // Whoever would answer waits for the batch.
  strictEqual(started[0]?.request.answersQuestions, false);
});

Deno.test("subagent_wait comes back for any, for all, for a question, and when time is up", async (t) => {
  function world() {
    const { children, started } = fakeChildren(() => {});
    const start = (prompt: string) =>
      children.start({ prompt, role: "explore", limits: { timeoutMs: 1 }, answersQuestions: true });
    return { children, started, start };
  }
  type Children2 = ReturnType<typeof world>;
  async function wait({ children }: Children2, args: unknown, signal = NEVER) {
    const parsed = subagentWait.parameters.parse(args);
    if (!parsed.ok) throw new Error(parsed.problems.join());
    return await subagentWait.run(parsed.value, { ...call, signal, children }, PLAN);
  }
  await t.step("any", async () => {
    const of = world();
    await of.start("a");
    await of.start("b");
    const waiting = wait(of, { mode: "any" });
    of.started[1]?.end("success", "quick");
    const { children, waited_ms } = await waiting;
    deepStrictEqual(children.map(({ state }) => state), ["running", "success"]);
    strictEqual(waited_ms, undefined);
    // What it showed of an end is not announced again.
    deepStrictEqual(of.started.map(({ isTold }) => isTold), [true, true]);
  });
  await t.step("all, but a question comes first", async () => {
    const of = world();
    await of.start("a");
    await of.start("b");
    const waiting = wait(of, {});
    of.started[0]?.set({ state: "question", question: { question: "Which?" } });
    const { children } = await waiting;
    deepStrictEqual(children.map(({ state }) => state), ["question", "running"]);
  });
  await t.step("all", async () => {
    const of = world();
    await of.start("a");
    await of.start("b");
    const waiting = wait(of, {});
    of.started[0]?.end("success");
    of.started[1]?.end("failure");
    deepStrictEqual((await waiting).children.map(({ state }) => state), ["success", "failure"]);
  });
  await t.step("the time is up, and nothing is ended", async () => {
    const of = world();
    await of.start("a");
    const { children, waited_ms } = await wait(of, { wait_ms: 0 });
    deepStrictEqual([children[0]?.state, waited_ms], ["running", 0]);
  });
  await t.step("an interruption ends the wait and nothing else", async () => {
    const of = world();
    await of.start("a");
    const stop = new AbortController();
    const waiting = wait(of, {}, stop.signal);
    stop.abort();
    await rejects(waiting, { name: "AbortError" });
    strictEqual(of.started[0]?.facts().state, "running");
  });
  await t.step("what ended before the wait began, unless the model knows", async () => {
    const of = world();
    await of.start("a");
    await of.start("b");
    of.started[0]?.end("success");
    const { children } = await wait(of, { mode: "any" });
    deepStrictEqual(children.map(({ state }) => state), ["success", "running"]);
    of.started[1]?.end("failure");
    deepStrictEqual((await wait(of, {})).children.map(({ child_id }) => child_id), ["c2"]);
    deepStrictEqual((await wait(of, {})).children, []);
  });
  await t.step("nothing to wait for, and an id that is none", async () => {
    const of = world();
    const value = await wait(of, {});
    deepStrictEqual(subagentWait.render(value), [{ type: "text", text: "[no sub-agent works]" }]);
    const other = await wait(of, { child_ids: ["c7", "c7"] });
    deepStrictEqual(other.unknown, ["c7"]);
  });
});

Deno.test("results share the room of one answer", async () => {
  const { children } = fakeChildren((child) =>
    queueMicrotask(() => child.end("success", "é".repeat(100_000)))
  );
  for (let n = 0; n < 5; n++) {
    const limits = { timeoutMs: 1 };
    await children.start({ prompt: "x", role: "explore", limits, answersQuestions: true });
  }
  const value = await subagentWait.run({ child_ids: ["c1", "c2", "c3"], mode: "all" }, {
    ...call,
    children,
  }, PLAN);
  const [content] = subagentWait.render(value);
  const text = content?.type === "text" ? content.text : "";
  ok(new TextEncoder().encode(text).length < 52 * 1024);
  match(text, /\[text truncated: 17 KB of 195 KB shown, all in subagent_read_log c3\]$/);
});

Deno.test("captureText() leaves out the middle, and says how much", () => {
  deepStrictEqual(captureText("short", 100), { text: "short" });
  const { text, truncated } = captureText("0123456789".repeat(10), 20);
  ok(text.startsWith("0123456789") && text.endsWith("0123456789"));
  deepStrictEqual(truncated, { shown: 20, total: 100 });
});

Deno.test("subagent refuses with the reason, and tells the model of the roles", async () => {
  const { children } = fakeChildren(() => {});
  const tool = subagentTool(children.roles);
  match(tool.description, /Roles: explore \(looks\)\.$/);
  await rejects(
    tool.run({ prompt: "x", role: "none" }, { ...call, children }, PLAN),
    /no such role/,
  );
  const value = await tool.run({ prompt: "x", role: "explore" }, { ...call, children }, PLAN);
  strictEqual(value.state, "running");
});
