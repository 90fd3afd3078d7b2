import type { AssistantMessage, Message } from "../../../agent/messages.ts";
import { type ConnectOptions, createModel } from "../../../agent/model/connect.ts";
import type { ModelError, ModelEvent, ModelRequest, ToolSpec } from "../../../agent/model/model.ts";
import { type Provider, providerFor } from "../../../agent/model/provider.ts";
import type { ModelServer } from "../../helpers/model_server.ts";

/** A tool that requests offer. */
export const BASH: ToolSpec = {
  name: "bash",
  description: "Run a command.",
  parameters: { type: "object", properties: { command: { type: "string" } } },
};

/** A message of a person. */
export function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

/** A whole answer, with what a test wants to be different. */
export function assistant(fields: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    text: "",
    toolCalls: [],
    model: "m1",
    usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, reasoningTokens: 0 },
    finish: "stop",
    ...fields,
  };
}

/** A request with one message of a person before the given ones. */
export function request(...messages: Message[]): ModelRequest {
  return { system: "Be brief", messages: [user("hi"), ...messages], tools: [BASH] };
}

/** The options of a model "m1" at a server; waits cost no time and take the longest delay. */
export function options(
  server: Pick<ModelServer, "url">,
  provider: Partial<Provider> = {},
): ConnectOptions {
  return {
    name: "m1",
    provider: providerFor({ baseUrl: server.url, overrides: { wire: "chat", ...provider } }),
    loadBlob: (name) => Promise.reject(new Deno.errors.NotFound(name)),
    readText: (path) => Promise.reject(new Deno.errors.NotFound(path)),
    probe: () => Promise.resolve(true),
    clock: { random: () => 0.999, sleep: () => Promise.resolve() },
  };
}

/** What came of a request: its events, then an answer or an error. */
export interface Outcome {
  readonly events: readonly ModelEvent[];
  readonly answer?: AssistantMessage;
  readonly error?: ModelError;
}

/** Asks once and keeps whatever comes. */
export async function ask(
  connect: ConnectOptions,
  asked: ModelRequest = request(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of createModel(connect).ask(asked, signal)) events.push(event);
  } catch (error) {
    return { events, error: error as ModelError }; // tests look at its kind
  }
  const last = events.at(-1);
  return last?.type === "answer" ? { events, answer: last.message } : { events };
}
