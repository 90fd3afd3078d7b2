import type { AssistantMessage, Message } from "../messages.ts";
import { historyArguments } from "./call_drafts.ts";
import { joinText, type LoadedPart, loadParts } from "./images.ts";
import { isJson, type Json } from "./json.ts";
import type { WireOptions } from "./wire.ts";

/**
 * Turns messages into the input list of the Responses API. Each message is encoded once and kept
 * by identity, so that a long conversation costs what its new messages cost.
 */
export class ResponsesItems {
  readonly #encoded = new WeakMap<Message, string>();

  constructor(readonly options: WireOptions) {}

  /** The list, as JSON text. */
  async encode(messages: readonly Message[]): Promise<string> {
    const out: string[] = [];
    for (const message of messages) {
      const json = this.#encoded.get(message) ?? await this.#add(message);
      if (json !== "") out.push(json);
    }
    return `[${out.join(",")}]`;
  }

  async #add(message: Message): Promise<string> {
    const items = await this.#encodeOne(message);
    const json = items.map((item) => JSON.stringify(item)).join(",");
    this.#encoded.set(message, json);
    return json;
  }

  async #encodeOne(message: Message): Promise<Json[]> {
    switch (message.role) {
      case "user": {
        const content = (await loadParts(message.content, this.options)).map(encodePart);
        return [{ type: "message", role: "user", content }];
      }
      case "assistant":
        return message.model === this.options.model && sameCalls(message)
          ? givenItems(message)
          : plainItems(message);
      case "tool": {
        const output = encodeOutput(await loadParts(message.content, this.options));
        return [{ type: "function_call_output", call_id: message.callId, output }];
      }
    }
  }
}

function encodePart(part: LoadedPart): Json {
  return part.type === "text"
    ? { type: "input_text", text: part.text }
    : { type: "input_image", image_url: part.url, detail: "auto" };
}

/** Plain text stays a string: not every server reads lists of parts. */
function encodeOutput(parts: readonly LoadedPart[]): unknown {
  return parts.every((part) => part.type === "text") ? joinText(parts) : parts.map(encodePart);
}

/** Whether the items that the server gave still tell the calls that the conversation has. */
function sameCalls({ reasoning, toolCalls }: AssistantMessage): boolean {
  if (reasoning?.wire !== "responses" || !reasoning.items) return false;
  const given = reasoning.items.filter(isJson).filter(({ type }) => type === "function_call");
  return given.length === toolCalls.length &&
    given.every((item, index) => item.call_id === toolCalls[index]?.callId);
}

/** The server's own items in their order: reasoning belongs before the call that came of it. */
function givenItems({ reasoning }: AssistantMessage): Json[] {
  return (reasoning?.items ?? []).filter(isJson).map((item) =>
    item.type === "function_call"
      ? { ...item, arguments: historyArguments(String(item.arguments)) }
      : item
  );
}

function plainItems({ text, toolCalls }: AssistantMessage): Json[] {
  const said = { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
  return [
    ...(text === "" ? [] : [said]),
    ...toolCalls.map((call) => ({
      type: "function_call",
      call_id: call.callId,
      name: call.name,
      arguments: historyArguments(call.arguments),
    })),
  ];
}
