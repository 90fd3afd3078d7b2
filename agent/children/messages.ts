import type { PersonQuestion } from "../../tools/tool.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { AgentEvent } from "../events.ts";
import type { Decision, Edited, Question } from "../gate/approver.ts";
import type { Rule } from "../gate/rules.ts";

/**
 * How a session and its children talk: one JSON value a line, over standard input and output of the
 * child. Both ends are the same program, so nothing here is published. A child whose input ends has
 * lost its parent, and ends, too.
 */
export type ToChild =
  /** The first, once. */
  | { readonly type: "start"; readonly task: ChildTask }
  /** What became of its {@linkcode FromChild} `approval`. */
  | { readonly type: "decision"; readonly id: number; readonly decision: Decision | Edited }
  /** An answer to its `question`; without text nobody gives one. */
  | { readonly type: "reply"; readonly id: number; readonly text?: string }
  | { readonly type: "steer"; readonly text: string }
  | { readonly type: "cancel" };

export type FromChild =
  /** What happens in its run, long texts cut. */
  | { readonly type: "event"; readonly event: AgentEvent }
  /** A call of it needs a person's yes. */
  | { readonly type: "approval"; readonly id: number; readonly question: Question }
  /** It asks the agent that started it. */
  | { readonly type: "question"; readonly id: number; readonly question: PersonQuestion }
  /** It does not ask any more. */
  | { readonly type: "withdrawn"; readonly id: number }
  /** A line for people. */
  | { readonly type: "note"; readonly line: string; readonly alarm: boolean };

/** Everything that a child is told about its work. */
export interface ChildTask {
  readonly prompt: string;
  /** JSON Schema that the answer must fit, as JSON. */
  readonly schema?: string;
  /** The options of its run, as if they had been given on a command line. */
  readonly options: OptionValues;
  /** From where names in the options are taken; absolute. */
  readonly cwd: string;
  /** What makes it the sub-agent of a session; absent: it is a run of its own, of which nobody is asked. */
  readonly subAgent?: SubAgentTask;
}

/** What a sub-agent is told beside its task. */
export interface SubAgentTask {
  /** What the role says of how to work. */
  readonly instructions: string;
  readonly standing: ChildStanding;
}

/** What ties a run to the one that started it. */
export interface ChildStanding {
  /** The session of the one that started it. */
  readonly parent: string;
  readonly role: string;
  /** How deep it is: 1 for a child of a person's session. */
  readonly depth: number;
  /** Whether it must not run without a kernel view, since its parent does not. */
  readonly confined: boolean;
  /** What a person has said never to, in the parent's session. */
  readonly rules: readonly Rule[];
  /** Whether a person can be asked for approvals. */
  readonly hasPerson: boolean;
  /** Whether the agent that started it answers questions. */
  readonly answersQuestions: boolean;
}

/** A message as its line. */
export function messageLine(message: ToChild | FromChild): string {
  return `${JSON.stringify(message)}\n`;
}
