import { text } from "../tools/tool.ts";
import type { Message, ToolMessage } from "./messages.ts";

/** Results of this many characters and more are worth leaving out. */
const LARGE_CHARS = 400;

/** A conversation made smaller for one more attempt. */
export interface Shrunk {
  readonly messages: readonly Message[];
  /** What was done, for people. */
  readonly note: string;
}

/**
 * The conversation with the large tool results of its older half left out, or undefined where
 * there is nothing to leave out. The log keeps everything; calls and results stay paired.
 */
export function shrink(messages: readonly Message[]): Shrunk | undefined {
  const large = messages.filter(isLarge);
  if (large.length === 0) return undefined;
  const dropped = new Set<Message>(large.slice(0, Math.ceil(large.length / 2)));
  return {
    messages: messages.map((message) => dropped.has(message) ? withoutContent(message) : message),
    note: `the conversation is larger than the model's window: ${dropped.size} older tool ` +
      `${dropped.size === 1 ? "result is" : "results are"} left out`,
  };
}

function isLarge(message: Message): message is ToolMessage {
  return message.role === "tool" && sizeOf(message) >= LARGE_CHARS;
}

function sizeOf({ content }: ToolMessage): number {
  return content.reduce(
    (sum, part) => sum + (part.type === "text" ? part.text.length : LARGE_CHARS),
    0,
  );
}

function withoutContent(message: Message): Message {
  const note = "[left out to fit the model's window: run the call again if you need its result]";
  return message.role === "tool" ? { ...message, content: [text(note)] } : message;
}
