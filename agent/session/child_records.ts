import { text } from "../../tools/tool.ts";
import type { UserMessage } from "../messages.ts";
import type { ChildEndRecord, ChildQuestionRecord, Unstamped } from "./records.ts";

/** The record of a sub-agent that worked when its session was left without an orderly end. */
export function lostChildRecord(childId: string): Unstamped<ChildEndRecord> {
  return { type: "child_end", child_id: childId, state: "lost" };
}

/** The note that a `child_end` record is for the model. */
export function childEndMessage(record: ChildEndRecord): UserMessage {
  const { child_id, title, state, reason, text: said = "", worktree = "" } = record;
  const which = title === undefined ? child_id : `${child_id} (${title})`;
  const why = reason === undefined || state === "success" ? "" : `, ${reason}`;
  const head = state !== "lost"
    ? `[sub-agent ${which} has ended: ${state}${why}, see subagent_status]`
    : worktree === ""
    ? `[sub-agent ${which} is lost: the program ended while it worked]`
    : `[what sub-agent ${which}, which is lost, left behind]`;
  const parts = [head, said, worktree].filter((part) => part !== "");
  return { role: "user", content: [text(parts.join("\n"))] };
}

/** The note that a `child_question` record is for the model. */
export function childQuestionMessage(
  { child_id, question, options = [] }: ChildQuestionRecord,
): UserMessage {
  const choices = options.length === 0 ? "" : `\nOptions: ${options.join("; ")}`;
  const head = `[sub-agent ${child_id} asks, answer by subagent_reply]`;
  return { role: "user", content: [text(`${head}\n${question}${choices}`)] };
}
