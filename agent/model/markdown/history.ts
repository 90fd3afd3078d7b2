import type { Content } from "../../../tools/tool.ts";
import type { AssistantMessage, Message, ToolMessage, UserMessage } from "../../messages.ts";
import type { ToolSpec } from "../model.ts";
import { callsIn, parseAnswer } from "./parse.ts";
import { writeResult } from "./results.ts";
import { writeCall } from "./write_call.ts";

type Said = UserMessage | ToolMessage;

/** What stands between two answers, as it was translated. */
interface Translated {
  readonly from: readonly Said[];
  readonly to: UserMessage;
}

/**
 * A conversation as text: an answer keeps the blocks that it was written with, results become part
 * of what the user says, and users and answers take turns, which many templates insist on. What
 * stays the same is the same object again, so that it need not be encoded twice.
 */
export class MarkdownHistory {
  readonly #answers = new WeakMap<AssistantMessage, AssistantMessage>();
  readonly #said = new WeakMap<Said, Translated>();

  /** Translates all messages; none of the new ones has calls or is a result. */
  translate(messages: readonly Message[], tools: readonly ToolSpec[]): readonly Message[] {
    const out: Message[] = [];
    let answer: AssistantMessage | undefined;
    let waiting: Said[] = [];
    const flush = () => {
      if (waiting.length > 0) out.push(this.#join(waiting, answer));
      waiting = [];
    };
    for (const message of messages) {
      if (message.role !== "assistant") {
        waiting.push(message);
        continue;
      }
      flush();
      answer = message;
      out.push(this.#asText(message, tools));
    }
    flush();
    return out;
  }

  #asText(message: AssistantMessage, tools: readonly ToolSpec[]): AssistantMessage {
    if (message.toolCalls.length === 0) return message;
    const known = this.#answers.get(message);
    if (known) return known;
    const translated = { ...message, text: textOf(message, tools), toolCalls: [] };
    this.#answers.set(message, translated);
    return translated;
  }

  #join(from: readonly Said[], answer: AssistantMessage | undefined): UserMessage {
    const [first] = from;
    const known = first && this.#said.get(first);
    if (known && isSame(known.from, from)) return known.to;
    const numbers = new Map(answer?.toolCalls.map(({ callId }, index) => [callId, index + 1]));
    const to: UserMessage = {
      role: "user",
      content: from.flatMap((message, index): readonly Content[] =>
        message.role === "user"
          ? message.content
          : writeResult(message, numbers.get(message.callId) ?? index + 1)
      ),
    };
    if (first) this.#said.set(first, { from, to });
    return to;
  }
}

function isSame(one: readonly Said[], other: readonly Said[]): boolean {
  return one.length === other.length && one.every((message, index) => message === other[index]);
}

/** The answer's own text where its calls stand in it; calls of a native answer are written out. */
function textOf(
  { text: said, toolCalls, finish }: AssistantMessage,
  tools: readonly ToolSpec[],
): string {
  const names = toolCalls.map(({ name }) => name);
  const gone = names.filter((name) => !tools.some((tool) => tool.name === name));
  const known = [...tools, ...[...new Set(gone)].map(unknownTool)];
  const written = callsIn(parseAnswer(said, known, finish === "length"));
  if (written.map(({ name }) => name).join() === names.join()) return said;
  const blocks = toolCalls.map((call) => writeCall(call, tools));
  return [...(said === "" ? [] : [said]), ...blocks].join("\n");
}

/** A tool that was offered once: its name is enough to find its blocks. */
function unknownTool(name: string): ToolSpec {
  return { name, description: "", parameters: {} };
}
