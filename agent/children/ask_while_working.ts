import { type Approver, SILENCE } from "../gate/approver.ts";

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
  let working: AbortController | undefined;
  let begun = Promise.withResolvers<void>();
  return {
    begin() {
      const task = new AbortController();
      working = task;
      begun.resolve();
      return {
        [Symbol.dispose]() {
          working = undefined;
          begun = Promise.withResolvers();
          task.abort();
        },
      };
    },
    async approve(question, withdrawn) {
      while (!withdrawn.aborted) {
        if (!working) {
          await unlessRaised(begun.promise, withdrawn);
          continue;
        }
        const task = working.signal;
        const answer = await approve(question, AbortSignal.any([withdrawn, task]));
        const isAnswer = answer.decision === "edit" || answer.by !== "silence";
        if (isAnswer || !task.aborted) return answer;
      }
      return SILENCE;
    },
  };
}

async function unlessRaised(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const raised = Promise.withResolvers<void>();
  const listener = () => raised.resolve();
  signal.addEventListener("abort", listener);
  await Promise.race([promise, raised.promise]);
  signal.removeEventListener("abort", listener);
}
