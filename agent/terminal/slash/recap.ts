import type { Content } from "../../../tools/tool.ts";
import { printable } from "../output.ts";
import type { Desk } from "./desk.ts";

/** How much of what a person had said is shown again, in UTF-16 units. */
const MAX_PROMPT_CHARS = 200;

/** Shows where a session stands that goes on: what was said last, and answered. */
export function recap(desk: Desk): void {
  const { session } = desk.seat.agent;
  const { messages, name, turns } = session.conversation;
  const prompt = messages.findLast(({ role }) => role === "user");
  const answer = messages.findLast((message) =>
    message.role === "assistant" && message.text !== ""
  );
  const title = name === undefined ? session.id : `${name} (${session.id})`;
  desk.say(`Session ${title} goes on, after ${turns} ${turns === 1 ? "turn" : "turns"}`);
  if (prompt?.role === "user") {
    desk.say(`> ${printable(textOf(prompt.content)).slice(0, MAX_PROMPT_CHARS)}`);
  }
  if (answer?.role === "assistant") desk.sayMarkdown(answer.text);
}

function textOf(content: readonly Content[]): string {
  return content.flatMap((part) => part.type === "text" ? [part.text] : []).join(" ");
}
