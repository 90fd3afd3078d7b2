import { text } from "../../tools/tool.ts";
import type { Message, ToolMessage } from "../messages.ts";

/** Results of this many characters and more are worth leaving out. */
const LARGE_CHARACTERS = 400;

const NOTE =
  "[left out to fit the model's window: run the call again if you need its result, and " +
  "ask for less of it]";

/**
 * Which results of calls are not sent, so that the rest fits. The log keeps everything, calls and
 * results stay paired, and what was left out once stays so, which servers' caches want.
 */
export class Omissions {
  readonly #instead = new WeakMap<Message, Message>();

  /** Messages as they are to be sent. */
  applyTo(messages: readonly Message[]): readonly Message[] {
    return messages.map((message) => this.#instead.get(message) ?? message);
  }

  /**
   * Leaves the oldest large results of `messages` out, half of them in any case and more until
   * `fits`; tells how many, 0 where no large one is left.
   */
  leaveOut(messages: readonly Message[], fits: () => boolean): number {
    const large = messages.filter((message) => isLarge(message) && !this.#instead.has(message));
    const half = Math.ceil(large.length / 2);
    let count = 0;
    for (const message of large) {
      if (count >= half && fits()) break;
      this.#instead.set(message, withoutContent(message));
      count++;
    }
    return count;
  }
}

function isLarge(message: Message): message is ToolMessage {
  return message.role === "tool" && sizeOf(message) >= LARGE_CHARACTERS;
}

function sizeOf({ content }: ToolMessage): number {
  return content.reduce(
    (sum, part) => sum + (part.type === "text" ? part.text.length : LARGE_CHARACTERS),
    0,
  );
}

function withoutContent(message: Message): Message {
  return message.role === "tool" ? { ...message, content: [text(NOTE)] } : message;
}
