import type { Binding } from "./rules.ts";

/** A call that needs a person's yes, with all that the person has to know. */
export interface Question {
  readonly callId: string;
  readonly tool: string;
  /** Whose call it is, where it is not this session's own: `sub-agent c1 (explore)`. */
  readonly by?: string;
  /** The exact arguments, as JSON. */
  readonly arguments: string;
  /** Why it is asked. */
  readonly reason: string;
  /** The question itself, where it is not whether the call may run. */
  readonly ask?: string;
  /** The change as a unified diff, where the call is an edit. */
  readonly preview?: string;
  /** What an answer for the session would hold for, narrowest first; absent: it holds this once. */
  readonly offers?: readonly Offer[];
  /** How far a plain yes reaches, where that is not this call: `until this task ends`. */
  readonly once?: string;
  /** Whether the person may change the arguments. */
  readonly editable?: boolean;
  /** What is wrong with the arguments that the person gave to the same question before. */
  readonly problem?: string;
}

/** What an answer may hold for until the session ends. */
export interface Offer {
  /** For a person: `this command`, `every command that begins with "npm test"`. */
  readonly what: string;
  readonly bindings: readonly Binding[];
}

/** What was decided, and by whom. */
export interface Decision {
  readonly decision: "allow" | "deny" | "unavailable";
  /** `silence`: the input ended, or the question was withdrawn. */
  readonly by: "person" | "policy" | "rule" | "silence" | "hook";
  /** Index of the offer that it holds for until the session ends; absent: it holds this once. */
  readonly offer?: number;
  /** With a no: what the person wants the model to know. */
  readonly remark?: string;
}

/** The person changed the call: it is read, planned and judged again. */
export interface Edited {
  readonly decision: "edit";
  readonly by: "person";
  /** JSON, or what the person took for it. */
  readonly arguments: string;
}

/**
 * Puts a question to a person, or says that nobody can be asked. Once the signal is raised the
 * question is withdrawn, and the answer is a no.
 */
export type Approver = (question: Question, signal: AbortSignal) => Promise<Decision | Edited>;

/** For runs without a terminal: nobody can be asked. */
export const nobody: Approver = () => Promise.resolve({ decision: "unavailable", by: "policy" });

/** For `--approval deny`: whatever would ask is refused, and the run goes on. */
export const denyAll: Approver = () => Promise.resolve({ decision: "deny", by: "policy" });

/** The answer to a question that was withdrawn, or that the input ended under. */
export const SILENCE: Decision = { decision: "deny", by: "silence" };
