import type { FinishReason, ToolCall } from "../messages.ts";
import { unlessAborted } from "../unless_aborted.ts";
import { isJson } from "./json.ts";
import { type Model, ModelError, type ModelEvent, type ModelRequest } from "./model.ts";

/** One answer of a script. */
interface ScriptedTurn {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/**
 * Plays a script instead of asking a model: one turn of `{"turns": [{"text"?, "tool_calls"?}]}`
 * for each request. `arguments` is an object, or a string that is sent as it stands, so that
 * broken arguments can be played. The file is read with the first request.
 */
export function scriptedModel(
  name: string,
  path: string,
  readText: (path: string) => Promise<string>,
): Model {
  let turns: Promise<ScriptedTurn[]> | undefined;
  let asked = 0;
  let calls: number | undefined;
  return {
    name,
    async *ask(request, signal) {
      turns ??= loadScript(path, readText);
      const all = await unlessAborted(turns, signal);
      if (!all || signal.aborted) throw new DOMException("The request was stopped", "AbortError");
      const turn = all[asked++];
      if (!turn) throw scriptError(path, `it has ${all.length} turns and was asked for one more`);
      // Counting goes on where a resumed session's calls end, so that ids stay unique.
      calls ??= lastCall(request);
      const toolCalls: ToolCall[] = [];
      for (const call of turn.calls) toolCalls.push({ callId: `call_${++calls}`, ...call });
      yield* play(name, turn.text, toolCalls);
    },
  };
}

function* play(model: string, text: string, toolCalls: ToolCall[]): Generator<ModelEvent> {
  if (text !== "") yield { type: "text_delta", text };
  for (const { name } of toolCalls) yield { type: "tool_call_start", name };
  const finish: FinishReason = toolCalls.length > 0 ? "tool_calls" : "stop";
  const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  yield { type: "answer", message: { role: "assistant", text, toolCalls, model, usage, finish } };
}

/** The highest number of a call that a script made; a summary may stand for those before it. */
function lastCall({ messages }: ModelRequest): number {
  let last = 0;
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const { callId } of message.toolCalls) {
      last = Math.max(last, Number(/^call_(\d{1,9})$/.exec(callId)?.[1] ?? 0));
    }
  }
  return last;
}

async function loadScript(
  path: string,
  readText: (path: string) => Promise<string>,
): Promise<ScriptedTurn[]> {
  if (path === "") {
    throw new ModelError("configuration", "Cannot play a script: scripted: wants a file");
  }
  let text;
  try {
    text = await readText(path);
  } catch (error) {
    throw scriptError(path, unreadable(error), error);
  }
  return await parseScript(path, text);
}

function unreadable(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}

async function parseScript(path: string, source: string): Promise<ScriptedTurn[]> {
  const text = source.replace(/^\uFEFF/, "");
  if (text.trim() === "") throw scriptError(path, "it is empty");
  const script = await parseStrict(path, text);
  if (!isJson(script) || !Array.isArray(script.turns)) {
    throw scriptError(path, 'it is no object with a list "turns"');
  }
  if (script.turns.length === 0) throw scriptError(path, "it has no turns");
  return script.turns.map((turn, index) => parseTurn(path, turn, `turns[${index}]`));
}

async function parseStrict(path: string, text: string): Promise<unknown> {
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: Parameters<typeof parse>[1] = [];
  const value: unknown = parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (!first) return value;
  const before = text.slice(0, first.offset).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  throw scriptError(path, `bad JSON at ${place} (${words(printParseErrorCode(first.error))})`);
}

/** `CommaExpected` as "comma expected". */
function words(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

function parseTurn(path: string, turn: unknown, place: string): ScriptedTurn {
  if (!isJson(turn)) throw scriptError(path, `${place} is no object`);
  const { text = "", tool_calls: calls = [] } = turn;
  if (typeof text !== "string") throw scriptError(path, `${place}.text is no string`);
  if (!Array.isArray(calls)) throw scriptError(path, `${place}.tool_calls is no list`);
  return {
    text,
    calls: calls.map((call, index) => parseCall(path, call, `${place}.tool_calls[${index}]`)),
  };
}

function parseCall(path: string, call: unknown, place: string): ScriptedTurn["calls"][number] {
  if (!isJson(call) || typeof call.name !== "string") {
    throw scriptError(path, `${place} is no object with a "name"`);
  }
  const args = call.arguments ?? {};
  if (typeof args === "string") return { name: call.name, arguments: args };
  if (!isJson(args)) throw scriptError(path, `${place}.arguments is no object and no string`);
  return { name: call.name, arguments: JSON.stringify(args) };
}

function scriptError(path: string, why: string, cause?: unknown): ModelError {
  return new ModelError("configuration", `Cannot play "${path}": ${why}`, { cause });
}
