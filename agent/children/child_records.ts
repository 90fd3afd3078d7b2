import type { ChildFacts } from "../../tools/subagent/children.ts";
import type { ChildEvent } from "../events.ts";
import type { ChildEndRecord, ChildQuestionRecord, Unstamped } from "../session/records.ts";
import { landingText } from "../../tools/subagent/landing.ts";
import type { LostWork } from "./apart.ts";
import type { OwnChild } from "./own_child.ts";

/** How much of a last message the model is told unasked, in UTF-16 units. */
const TOLD_CHARS = 4 * 1024;

/** What the event stream tells of a child whose state has changed. */
export function childEvent(
  { id, role, description, state, sessionId, end }: ChildFacts,
): ChildEvent {
  return {
    type: "child",
    child_id: id,
    ...{ role, description, state },
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(end && { reason: end.reason }),
  };
}

/** What the log keeps of a child that has ended. */
export function childEndRecord(child: OwnChild): Unstamped<ChildEndRecord> {
  const { id, role, description, state, turns, usage, sessionId, end } = child.facts();
  const { cost_usd, ...tokens } = usage;
  const text = end?.text ?? "";
  return {
    type: "child_end",
    child_id: id,
    state,
    title: description === "" ? role : `${role}: ${description}`,
    ...(end && { reason: end.reason }),
    ...(text !== "" && { text: beginningOf(text) }),
    ...(end?.landing && { worktree: landingText(end.landing) }),
    turns,
    usage: tokens,
    ...(cost_usd !== undefined && { cost_usd }),
    ...(sessionId !== undefined && { session: sessionId }),
    ...(child.endIsTold && { told: true }),
  };
}

/** What the log keeps of work that a lost child left. */
export function lostWorkRecord({ childId, text }: LostWork): Unstamped<ChildEndRecord> {
  return { type: "child_end", child_id: childId, state: "lost", worktree: text };
}

/** The record of the question that a child asks; undefined where it asks none any more. */
export function childQuestionRecord(
  { id, question }: ChildFacts,
): Unstamped<ChildQuestionRecord> | undefined {
  if (!question) return undefined;
  return {
    type: "child_question",
    child_id: id,
    question: question.question,
    ...(question.options && { options: [...question.options] }),
  };
}

function beginningOf(text: string): string {
  if (text.length <= TOLD_CHARS) return text;
  return `${text.slice(0, TOLD_CHARS).toWellFormed()}…\n[cut: subagent_status shows more]`;
}
