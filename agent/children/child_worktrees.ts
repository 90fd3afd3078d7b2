import type { Environment } from "../../sandbox/commands/environment.ts";
import type { Approver } from "../gate/approver.ts";
import type { Patch } from "../worktrees/worktree.ts";
import type { Worktrees } from "../worktrees/worktrees.ts";
import { type Apart, type LostWork, lostWork, openApart, type Tenant } from "./apart.ts";
import type { CurrentTask } from "./current_task.ts";
import { passPatch, type TaskGate } from "./landing_gate.ts";
import type { Refusal } from "./leave_worktree.ts";

/** What the worktrees of a session's children are made with. */
export interface ChildWorktreesParts {
  /** Absolute, links resolved. */
  readonly workspace: string;
  readonly state: string;
  /** Id of the session. */
  readonly session: string;
  /** Of the host, for git. */
  readonly environment: Environment;
  /** The gate of the task that runs. */
  readonly gates: CurrentTask<TaskGate>;
  /** Puts questions to a person, while a task runs. */
  readonly approve: Approver;
  /** A line for people. */
  readonly note: (line: string) => void;
}

/** The worktrees of a session's children; nothing is loaded before the first one is asked for. */
export class ChildWorktrees implements Disposable {
  readonly #parts: ChildWorktreesParts;
  #worktrees: Promise<Worktrees> | undefined;
  #opened: Worktrees | undefined;

  constructor(parts: ChildWorktreesParts) {
    this.#parts = parts;
  }

  /**
   * Opens one for a child.
   * @throws what {@linkcode openApart} does.
   */
  async open(tenant: Tenant, signal: AbortSignal): Promise<Apart> {
    const ask = (tenant: Tenant, patch: Patch, leaving: AbortSignal) =>
      this.#mayLand(tenant, patch, leaving);
    return await openApart(await this.#load(), tenant, { ask, note: this.#parts.note }, signal);
  }

  /** What children left that were lost; see {@linkcode lostWork}. */
  async lost(isKnown: (childId: string) => boolean): Promise<LostWork[]> {
    return await lostWork(await this.#load(), this.#parts.session, isKnown);
  }

  #load(): Promise<Worktrees> {
    const { workspace, state, session, environment } = this.#parts;
    return this.#worktrees ??= (async () => {
      // Few sessions have worktrees.
      const { createWorktrees } = await import("../worktrees/worktrees.ts");
      return this.#opened = createWorktrees({ workspace, state, session, environment });
    })();
  }

  async #mayLand(
    { id, by }: Tenant,
    patch: Patch,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const { gates, approve, workspace } = this.#parts;
    // What changes between two tasks would belong to none of them, and no undo would know it.
    const gate = await gates.next(signal);
    if (!gate) return STOPPED;
    const landing = { childId: id, by, patch, workspace };
    const passage = await passPatch(landing, gate, approve, signal);
    if (signal.aborted) return STOPPED;
    if (passage.kind === "refused") {
      const { text: why, approvalUnavailable } = passage;
      return { why, approvalUnavailable, isFinal: true };
    }
    await gate.beforeChange?.(`${id}/merge`, new AbortController().signal);
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#opened?.[Symbol.dispose]();
  }
}

const STOPPED: Refusal = {
  why: "it was stopped before they could be",
  approvalUnavailable: false,
  isFinal: false,
};
