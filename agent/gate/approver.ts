/** A call that needs a person's yes, with all that the person has to know. */
export interface Question {
  readonly callId: string;
  readonly tool: string;
  /** The exact arguments, as JSON. */
  readonly arguments: string;
  /** Why it is asked. */
  readonly reason: string;
  /** The question itself, where it is not whether the call may run. */
  readonly ask?: string;
  /** The change as a unified diff, where the call is an edit. */
  readonly preview?: string;
}

/** What was decided, and by whom. */
export interface Decision {
  readonly decision: "allow" | "deny" | "unavailable";
  readonly by: "person" | "policy";
}

/** Puts a question to a person, or says that nobody can be asked. */
export type Approver = (question: Question, signal: AbortSignal) => Promise<Decision>;

/** For runs without a terminal: nobody can be asked. */
export const nobody: Approver = () => Promise.resolve({ decision: "unavailable", by: "policy" });

/** For `--approval deny`: whatever would ask is refused, and the run goes on. */
export const denyAll: Approver = () => Promise.resolve({ decision: "deny", by: "policy" });
