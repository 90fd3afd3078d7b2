import { deepStrictEqual, rejects } from "node:assert/strict";
import type { AssistantMessage } from "../../../agent/messages.ts";
import { type Model, ModelError, type ModelEvent } from "../../../agent/model/model.ts";
import type { Observation } from "../../../agent/observation/observation.ts";
import { observedModel } from "../../../agent/observation/observed_model.ts";

const REQUEST = { system: "", messages: [], tools: [] };
const MESSAGE: AssistantMessage = {
  role: "assistant",
  text: "hello",
  toolCalls: [{ callId: "1", name: "bash", arguments: "{}" }],
  model: "m-2",
  usage: { inputTokens: 3, cachedInputTokens: 1, outputTokens: 2, reasoningTokens: 0 },
  finish: "tool_calls",
};
const RETRY: ModelEvent = { type: "retry", attempt: 1, delayMs: 5, reason: "503" };

/** A model that says this, and what was seen of it; each look at the clock is 10 ms later. */
function observed(...events: (ModelEvent | Error)[]) {
  const seen: Observation[] = [];
  let ms = 0;
  const model: Model = {
    name: "m",
    async *ask() {
      for (const event of events) {
        await Promise.resolve();
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
  return { seen, model: observedModel(model, (it) => void seen.push(it), () => ms += 10) };
}

async function drain(model: Model, signal = new AbortController().signal): Promise<ModelEvent[]> {
  return await Array.fromAsync(model.ask(REQUEST, signal));
}

const STARTED = { type: "request_started", request_id: 1, model: "m", messages: 0, tools: 0 };

Deno.test("observedModel() passes on what comes, and tells how it came", async () => {
  const { model, seen } = observed(
    { type: "text_delta", text: "void" },
    RETRY,
    { type: "text_delta", text: "hello" },
    { type: "answer", message: MESSAGE },
  );
  deepStrictEqual((await drain(model)).map(({ type }) => type), [
    "text_delta",
    "retry",
    "text_delta",
    "answer",
  ]);
  deepStrictEqual(seen, [STARTED, {
    type: "request_ended",
    request_id: 1,
    outcome: "answered",
    finish: "tool_calls",
    answered_by: "m-2",
    usage: { input_tokens: 3, cached_input_tokens: 1, output_tokens: 2, reasoning_tokens: 0 },
    answer: { text: "hello", tool_calls: [{ name: "bash", arguments: "{}" }] },
    retries: 1,
    duration_ms: 50,
    // Of the attempt that counts.
    first_ms: 30,
  }]);
});

Deno.test("observedModel() tells of an answer also where nobody listens to the end", async () => {
  const { model, seen } = observed({ type: "answer", message: MESSAGE }, new Error("unseen"));
  for await (const event of model.ask(REQUEST, new AbortController().signal)) {
    if (event.type === "answer") break;
  }
  deepStrictEqual(seen.map((it) => it.type === "request_ended" && it.outcome), [false, "answered"]);
});

Deno.test("observedModel() tells why there is no answer, and throws the same", async (t) => {
  const stopped = AbortSignal.abort();
  const cases: [what: string, error: Error, signal: AbortSignal | undefined, end: object][] = [
    ["refused", new ModelError("credentials", "no key", { status: 401 }), undefined, {
      outcome: "failed",
      ...{ error: "credentials", message: "no key", status: 401 },
    }],
    ["a bug", new TypeError("oh"), undefined, { outcome: "failed", message: "TypeError: oh" }],
    ["stopped", new DOMException("stop", "AbortError"), stopped, { outcome: "stopped" }],
  ];
  for (const [what, error, signal, end] of cases) {
    await t.step(what, async () => {
      const { model, seen } = observed(error);
      await rejects(drain(model, signal), error);
      deepStrictEqual(seen, [STARTED, {
        type: "request_ended",
        request_id: 1,
        ...end,
        ...{ retries: 0, duration_ms: 10 },
      }]);
    });
  }
});
