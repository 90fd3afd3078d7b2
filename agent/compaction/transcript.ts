import type { Content } from "../../tools/tool.ts";
import type { Message } from "../messages.ts";
import { clip } from "./clip.ts";

/** What one result or call may take, in characters, from generous to scant. */
const PART_LIMITS = [8_000, 2_000, 600, 200, 60] as const;
/** Words of people and models say more than output: they get so many times as much. */
const WORDS_FACTOR = 4;

/**
 * Messages as a text of at most about `maxCharacters`, for a model that sums them up: results are
 * clipped first and hardest. `summary`: the first message is an earlier summary, which is kept whole
 * as long as anything is.
 */
export function transcript(
  messages: readonly Message[],
  maxCharacters: number,
  { summary }: { readonly summary: boolean },
): string {
  let text = "";
  for (const limit of PART_LIMITS) {
    text = messages.map((message, i) =>
      summary && i === 0 ? earlierSummary(message) : entry(message, limit)
    ).join("\n\n");
    if (text.length <= maxCharacters) return text;
  }
  return clip(text, maxCharacters);
}

function earlierSummary(message: Message): string {
  return `## Summary of all that came before\n${
    message.role === "user" ? said(message.content) : ""
  }`;
}

function entry(message: Message, limit: number): string {
  switch (message.role) {
    case "user":
      return `## The person\n${clip(said(message.content), limit * WORDS_FACTOR)}`;
    case "tool": {
      const how = message.isError ? " (an error)" : "";
      return `## Result of ${message.name}${how}\n${clip(said(message.content), limit)}`;
    }
    case "assistant": {
      const calls = message.toolCalls.map(({ name, arguments: args }) =>
        `Call of ${name}: ${clip(args, limit)}`
      );
      const words = message.text === "" ? [] : [clip(message.text, limit * WORDS_FACTOR)];
      return `## The agent\n${[...words, ...calls].join("\n")}`;
    }
  }
}

function said(content: readonly Content[]): string {
  return content.map((part) => part.type === "text" ? part.text : `[image ${part.blob}]`).join(
    "\n",
  );
}
