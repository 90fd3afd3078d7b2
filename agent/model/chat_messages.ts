import type { AssistantMessage, Message, ToolMessage } from "../messages.ts";
import { historyArguments } from "./call_drafts.ts";
import { joinText, type LoadedPart, loadParts } from "./images.ts";
import type { WireOptions } from "./wire.ts";

/** A message as JSON text, and the images that must follow the tool messages. */
interface Encoded {
  readonly json: string;
  readonly images: readonly string[];
}

/**
 * Turns messages into the list of Chat Completions. Each message is encoded once and kept by
 * identity, so that a long conversation costs what its new messages cost.
 */
export class ChatMessages {
  readonly #encoded = new WeakMap<Message, Encoded>();

  constructor(readonly options: WireOptions) {}

  /** The list, as JSON text. */
  async encode(system: string, messages: readonly Message[]): Promise<string> {
    const out = [JSON.stringify({ role: "system", content: system })];
    let images: string[] = [];
    for (const message of messages) {
      if (message.role !== "tool") images = flushImages(out, images);
      const encoded = this.#encoded.get(message) ?? await this.#add(message);
      out.push(encoded.json);
      images.push(...encoded.images);
    }
    flushImages(out, images);
    return `[${out.join(",")}]`;
  }

  async #add(message: Message): Promise<Encoded> {
    const encoded = await this.#encodeOne(message);
    this.#encoded.set(message, encoded);
    return encoded;
  }

  async #encodeOne(message: Message): Promise<Encoded> {
    switch (message.role) {
      case "user":
        return plain({
          role: "user",
          content: userContent(await loadParts(message.content, this.options)),
        });
      case "assistant":
        return plain(encodeAssistant(message, this.options.model));
      case "tool":
        return encodeTool(message, await loadParts(message.content, this.options));
    }
  }
}

/** Images of results follow as a user message once the results are complete: tool messages hold text only. */
function flushImages(out: string[], images: string[]): string[] {
  if (images.length === 0) return images;
  out.push(`{"role":"user","content":[${images.join(",")}]}`);
  return [];
}

function plain(message: unknown): Encoded {
  return { json: JSON.stringify(message), images: [] };
}

/** Plain text stays a string: not every server reads lists of parts. */
function userContent(parts: readonly LoadedPart[]): unknown {
  return parts.every((part) => part.type === "text") ? joinText(parts) : parts.map(encodePart);
}

function encodePart(part: LoadedPart): unknown {
  return part.type === "text" ? part : { type: "image_url", image_url: { url: part.url } };
}

function encodeTool(message: ToolMessage, parts: readonly LoadedPart[]): Encoded {
  const images = parts.filter((part) => part.type === "image");
  const content = joinText(parts) || (images.length > 0 ? "[image follows]" : "");
  const json = JSON.stringify({ role: "tool", tool_call_id: message.callId, content });
  if (images.length === 0) return { json, images: [] };
  const label = { type: "text", text: `Image of ${message.name} (${message.callId}):` };
  return { json, images: [label, ...images.map(encodePart)].map((part) => JSON.stringify(part)) };
}

function encodeAssistant(message: AssistantMessage, model: string): unknown {
  const calls = message.toolCalls.map((call) => ({
    id: call.callId,
    type: "function",
    function: { name: call.name, arguments: historyArguments(call.arguments) },
  }));
  return {
    role: "assistant",
    // Servers differ on whether an empty string or null may stand beside calls; null is OpenAI's.
    content: message.text === "" && calls.length > 0 ? null : message.text,
    ...(message.model === model ? reasoningFields(message) : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Reasoning in the very field in which the server gave it, and only there. */
function reasoningFields({ reasoning }: AssistantMessage): Record<string, unknown> {
  if (reasoning?.wire !== "chat") return {};
  if (reasoning.items) return { reasoning_details: reasoning.items };
  return reasoning.field ? { [reasoning.field]: reasoning.text } : {};
}
