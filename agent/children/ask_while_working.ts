import { type Approver, SILENCE } from "../gate/approver.ts";
import { CurrentTask } from "./current_task.ts";

/** Puts questions while a task runs, and keeps them for the next one where none does. */
export interface WaitingApprover {
  readonly approve: Approver;
  /** From here on somebody looks, until disposed: what is still asked then is asked again. */
  begin(): Disposable;
}

/**
 * A person who writes their next prompt is not interrupted: between tasks questions of children wait.
 */
export function askWhileWorking(approve: Approver): WaitingApprover {
  const current = new CurrentTask<AbortSignal>();
  return {
    begin() {
      const task = new AbortController();
      const running = current.begin(task.signal);
      return {
        [Symbol.dispose]() {
          running[Symbol.dispose]();
          task.abort();
        },
      };
    },
    async approve(question, withdrawn) {
      let task: AbortSignal | undefined;
      while ((task = await current.next(withdrawn)) !== undefined) {
        const answer = await approve(question, AbortSignal.any([withdrawn, task]));
        const isAnswer = answer.decision === "edit" || answer.by !== "silence";
        if (isAnswer || !task.aborted) return answer;
      }
      return SILENCE;
    },
  };
}
