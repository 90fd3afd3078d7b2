import { type Budget, isOver } from "./budget.ts";
import type { Child, Children } from "./children.ts";
import { type ChildTaskArguments, requestOf } from "./request.ts";

/** How the tasks of a batch are done; the budget is of all tasks together. */
export interface BatchOptions extends Budget {
  /** `pipeline`: one after the other, each told what came of the one before. */
  readonly mode: "parallel" | "pipeline";
  readonly concurrency: number;
  /** One that does not succeed ends the others; in a pipeline always. */
  readonly cancelOnFailure: boolean;
}

/** What came of one task. */
export type BatchItem =
  | { readonly kind: "ended"; readonly child: Child }
  /** It was not started, for this reason. */
  | { readonly kind: "skipped"; readonly reason: string };

/** Where a task of a pipeline gets the result of the one before. */
export const PREVIOUS = "{previous}";

/**
 * Does tasks by sub-agents and resolves to what came of each, in the order of the tasks. Nothing of
 * them works any more then, also where the signal was raised.
 */
export async function runBatch(
  tasks: readonly ChildTaskArguments[],
  children: Children,
  options: BatchOptions,
  signal: AbortSignal,
  onStart: (child: Child) => void,
): Promise<BatchItem[]> {
  const batch = new Batch(children, options, onStart);
  const abort = () => batch.stop("cancelled", "the batch was interrupted");
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return options.mode === "pipeline" ? await batch.inTurn(tasks) : await batch.sideBySide(tasks);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** A batch under way. */
class Batch {
  readonly #children: Children;
  readonly #options: BatchOptions;
  readonly #onStart: (child: Child) => void;
  readonly #started: Child[] = [];
  /** Why no more is started. */
  #stopped: string | undefined;

  constructor(children: Children, options: BatchOptions, onStart: (child: Child) => void) {
    this.#children = children;
    this.#options = options;
    this.#onStart = onStart;
  }

  async sideBySide(tasks: readonly ChildTaskArguments[]): Promise<BatchItem[]> {
    const items: BatchItem[] = [];
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < tasks.length; index = next++) {
        const task = tasks[index];
        if (task) items[index] = await this.#run(task);
      }
    };
    const count = Math.min(Math.floor(this.#options.concurrency), tasks.length);
    await Promise.all(Array.from({ length: count }, worker));
    return items;
  }

  async inTurn(tasks: readonly ChildTaskArguments[]): Promise<BatchItem[]> {
    const items: BatchItem[] = [];
    let previous = "";
    for (const task of tasks) {
      const item = await this.#run({ ...task, prompt: withPrevious(task.prompt, previous) });
      items.push(item);
      previous = item.kind === "ended" ? item.child.facts().end?.text ?? "" : "";
    }
    return items;
  }

  /** Starts no more, and ends those that work. */
  stop(how: "cancelled" | "budget", reason: string): void {
    this.#stopped ??= reason;
    for (const child of this.#started) void child.cancel(how);
  }

  async #run(task: ChildTaskArguments): Promise<BatchItem> {
    if (this.#stopped !== undefined) return { kind: "skipped", reason: this.#stopped };
    // Nobody could answer a question: who would waits for this batch.
    const started = await this.#children.start(requestOf(task, false));
    if (!started.ok) {
      this.#failed("a task could not be started");
      return { kind: "skipped", reason: started.problem };
    }
    const { child } = started;
    this.#started.push(child);
    this.#onStart(child);
    if (this.#stopped !== undefined) void child.cancel();
    using _watch = child.watch(() => this.#watchBudget());
    this.#watchBudget();
    await child.settled();
    if (child.facts().state !== "success") this.#failed(`${child.id} did not succeed`);
    return { kind: "ended", child };
  }

  #failed(reason: string): void {
    const { mode, cancelOnFailure } = this.#options;
    if (mode === "pipeline" || cancelOnFailure) this.stop("cancelled", reason);
  }

  #watchBudget(): void {
    const used = this.#started.map((child) => child.facts().usage);
    if (isOver(used, this.#options)) this.stop("budget", "the budget of the batch is spent");
  }
}

function withPrevious(prompt: string, previous: string): string {
  if (previous === "") return prompt.replaceAll(PREVIOUS, "");
  if (prompt.includes(PREVIOUS)) return prompt.split(PREVIOUS).join(previous);
  return `${prompt}\n\nResult of the step before:\n${previous}`;
}
