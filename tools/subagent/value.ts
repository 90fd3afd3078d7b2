import * as z from "zod";
import type { Infer } from "../tool.ts";
import { SHOWN_BYTES } from "../truncate.ts";
import { type Child, CHILD_STATES, type Children } from "./children.ts";
import { landingText, landingValue } from "./landing.ts";
import { capturedMarker, capturedText, captureText } from "./result_text.ts";

/** Ids are text that looks like a number with a letter; some models send the number alone. */
export const childId = z.union([z.string(), z.number().transform((n) => `c${n}`)]);

const usage = z.object({
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  output_tokens: z.number(),
  reasoning_tokens: z.number(),
  cost_usd: z.number().optional(),
});

/** What a look at a sub-agent showed. */
export const childValue = z.object({
  child_id: z.string(),
  role: z.string(),
  description: z.string(),
  state: z.enum(CHILD_STATES),
  turns: z.number(),
  usage,
  duration_ms: z.number(),
  /** The session that it wrote. */
  session: z.string().optional(),
  /** What it did last. */
  activity: z.string().optional(),
  /** It waits for an answer to this. */
  question: z.object({ question: z.string(), options: z.array(z.string()).optional() }).optional(),
  /** Why it ended. */
  reason: z.string().optional(),
  /** Its last message, once it has ended; JSON where a schema was asked for. */
  result: capturedText.optional(),
  /** What became of its worktree, once it has ended. */
  worktree: landingValue.optional(),
});

export type ChildValue = Infer<typeof childValue>;

/** Looks at a sub-agent for the model, which then knows of its end or its question. */
export function lookAtChild(child: Child, limit = SHOWN_BYTES): ChildValue {
  const value = childRow(child);
  child.told();
  const { end } = child.facts();
  if (end === undefined) return value;
  const { text, landing } = end;
  return { ...value, result: captureText(text, limit), ...(landing && { worktree: landing }) };
}

/** The same without its last message, and without telling of its end. */
export function childRow(child: Child): ChildValue {
  const { id, sessionId, durationMs, activity, question, end, ...facts } = child.facts();
  return {
    child_id: id,
    role: facts.role,
    description: facts.description,
    state: facts.state,
    turns: facts.turns,
    usage: { ...facts.usage },
    duration_ms: durationMs,
    ...(sessionId !== undefined && { session: sessionId }),
    ...(activity !== undefined && end === undefined && { activity }),
    ...(question && {
      question: {
        question: question.question,
        ...(question.options && { options: [...question.options] }),
      },
    }),
    ...(end && { reason: end.reason }),
  };
}

/** Looks at several, whose last messages share the room of one answer. */
export function lookAtChildren(children: readonly Child[]): ChildValue[] {
  const share = Math.floor(SHOWN_BYTES / Math.max(1, children.length));
  return children.map((child) => lookAtChild(child, share));
}

/** One line on a sub-agent. */
export function childLine(value: ChildValue): string {
  const { child_id, role, description, state, turns, usage, duration_ms, activity } = value;
  const title = description === "" ? role : `${role}: ${description}`;
  const why = value.reason === undefined || state === "success" ? "" : ` (${value.reason})`;
  const work = state === "queued"
    ? ""
    : `, ${turns} ${turns === 1 ? "turn" : "turns"}, ${usage.input_tokens} tokens in, ` +
      `${usage.output_tokens} out, ${Math.round(duration_ms / 1000)} s`;
  const now = activity === undefined ? "" : `; last: ${activity}`;
  return `${child_id} (${title}): ${state}${why}${work}${now}`;
}

/** All that a look showed, as the model reads it. */
export function renderChild(value: ChildValue): string {
  const { child_id, question, result, worktree } = value;
  const options = question?.options ? `\nOptions: ${question.options.join("; ")}` : "";
  return [
    childLine(value),
    ...(question ? [`It asks: ${question.question}${options}`, "[answer by subagent_reply]"] : []),
    ...(result && result.text !== "" ? [result.text] : []),
    ...(result ? [capturedMarker(result, child_id)] : []),
    ...(worktree ? [landingText(worktree)] : []),
  ].filter((part) => part !== "").join("\n");
}

/** The sub-agents that a model names, each once, and the names that none has. */
export function findChildren(
  children: Children,
  named: readonly string[],
): { readonly found: Child[]; readonly unknown: string[] } {
  const ids = [...new Set(named)];
  return {
    found: ids.flatMap((id) => children.find(id) ?? []),
    unknown: ids.filter((id) => !children.find(id)),
  };
}

/** What is said of an id that no sub-agent has. */
export function noChild(id: string): string {
  return `[no sub-agent ${id}: subagent_list shows them]`;
}
