import type { Child, ChildFacts, Children } from "../../tools/subagent/children.ts";
import type { EventSink, UsageTotals } from "../events.ts";
import type { Approver } from "../gate/approver.ts";
import { SILENCE } from "../gate/approver.ts";
import type { InTurn } from "../gate/in_turn.ts";
import type { Session } from "../session/session.ts";
import { usageRecord } from "../session/convert.ts";
import type { CostOf } from "../usage_totals.ts";
import { addTotals, totalsOf, usageTotals } from "../usage_totals.ts";
import { askWhileWorking } from "./ask_while_working.ts";
import { reasonOf } from "../session/error.ts";
import {
  childEndRecord,
  childEvent,
  childQuestionRecord,
  lostWorkRecord,
} from "./child_records.ts";
import { ChildRegistry } from "./child_registry.ts";
import { ChildWorktrees, type ChildWorktreesParts } from "./child_worktrees.ts";
import { CurrentTask } from "./current_task.ts";
import type { TaskGate } from "./landing_gate.ts";
import { type Household, prepareChild } from "./launch_child.ts";
import { readChildLog } from "./read_log.ts";
import type { Role } from "./roles.ts";

/** The children of a session, for those who run it. */
export interface SessionChildren extends AsyncDisposable {
  /** What tools get. */
  readonly capability: Children;
  /** Tokens of all of them, also of those that work; cost as far as it is known. */
  usage(): UsageTotals;
  /**
   * A task begins, which is offered these tools: its children get no others. Until it is disposed
   * of, a person can be asked, and what was done in worktrees passes its gate.
   */
  beginTask(tools: () => readonly string[], gate: TaskGate): Disposable;
  /** Those that have not ended. */
  readonly unfinished: readonly ChildFacts[];
  /** Logs ends and questions since the last time, which tells the model of them, once. */
  tell(append: Session["append"]): Promise<void>;
  /** Whether one of them could not do what nobody was there to allow, since the task began. */
  readonly approvalUnavailable: boolean;
  /** Has all of them end without waiting for it. */
  abandon(): void;
}

/** Where the worktrees of a session belong. */
export type WorktreePlace = Pick<ChildWorktreesParts, "workspace" | "state" | "environment">;

/** What the children of a session are opened with. */
export interface ChildrenParts {
  readonly household: Omit<Household, "offered">;
  readonly session: Session;
  readonly roles: ReadonlyMap<string, Role>;
  readonly maxAtOnce: number;
  /** Where worktrees may be; a sentence on why none can be had, where that is so. */
  readonly worktrees: string | WorktreePlace;
  readonly costOf: CostOf;
  readonly approve: Approver;
  readonly inTurn: InTurn;
  readonly emit: EventSink;
  readonly note: (line: string) => void;
  readonly alarm: (line: string) => void;
}

/** Opens what backs the capability `children`; no process starts before one is asked for. */
export function openChildren(parts: ChildrenParts): SessionChildren {
  const { session, household, roles, maxAtOnce, emit } = parts;
  const { conversation } = session;
  const { maxBudgetUsd } = household.launch.settings.limits;
  let offered: () => readonly string[] = () => [];
  let spentBefore = 0;
  let unavailable = false;
  const asking = askWhileWorking((question, signal) =>
    parts.inTurn(() => parts.approve(question, signal), () => SILENCE, signal)
  );
  const gates = new CurrentTask<TaskGate>();
  const worktrees = typeof parts.worktrees === "string" ? undefined : new ChildWorktrees({
    ...parts.worktrees,
    ...{ gates, approve: asking.approve, session: session.id, note: parts.note },
  });
  let looked = conversation.lastChild === 0;
  const registry = new ChildRegistry({
    ...{ roles, maxAtOnce },
    firstId: conversation.lastChild + 1,
    prepare: (child, apart) =>
      prepareChild({ ...household, offered: () => offered() }, child, apart),
    openApart: worktrees
      ? (tenant, signal) => worktrees.open(tenant, signal)
      : String(parts.worktrees),
    approve: async (question, signal) => {
      const decision = await asking.approve(question, signal);
      if (decision.decision === "edit") return decision;
      const reason = `${question.by}: ${question.reason}`;
      emit({ type: "approval", call_id: question.callId, decision: decision.decision, reason });
      return decision;
    },
    onChange(child) {
      unavailable ||= child.lackedApproval;
      tellChange(child);
      if (maxBudgetUsd !== undefined && spent() - spentBefore > maxBudgetUsd) {
        void registry.cancelAll("budget");
      }
    },
    note: (line, alarm) => alarm ? parts.alarm(line) : parts.note(line),
    readLog: (id) => readChildLog(household.launch.places.sessions, id),
    now: () => performance.now(),
  });
  const states = new Map<string, string>();

  function tellChange(child: Child): void {
    const { id, state } = child.facts();
    if (states.get(id) === state) return;
    states.set(id, state);
    emit(childEvent(child.facts()));
  }

  function usage(): UsageTotals {
    const { tokens, costUsd } = conversation.childUsage;
    const logged = { ...usageRecord(tokens), ...(costUsd !== undefined && { cost_usd: costUsd }) };
    return registry.untaken.map((child) => totalsOf(child.facts().usage))
      .reduce(addTotals, logged);
  }

  /** What children left in worktrees when the program died is told once, too. */
  async function tellLost(append: Session["append"]): Promise<void> {
    if (looked || !worktrees) return;
    looked = true;
    try {
      for (const lost of await worktrees.lost((id) => conversation.hasLanding(id))) {
        await append(lostWorkRecord(lost));
      }
    } catch (error) {
      parts.note(`warning: Cannot look for worktrees that were left: ${reasonOf(error)}`);
    }
  }

  function spent(): number {
    return addTotals(usageTotals(conversation.usage, parts.costOf), usage()).cost_usd ?? 0;
  }

  return {
    capability: registry,
    usage,
    beginTask(tools, gate) {
      offered = tools;
      unavailable = false;
      spentBefore = spent();
      const task = new DisposableStack();
      task.use(asking.begin());
      task.use(gates.begin(gate));
      return task;
    },
    get unfinished() {
      return registry.list().map((child) => child.facts()).filter(({ end }) => !end);
    },
    async tell(append) {
      await tellLost(append);
      for (const child of registry.takeEnded()) await append(childEndRecord(child));
      for (const child of registry.takeQuestions()) {
        const record = childQuestionRecord(child.facts());
        if (record) await append(record);
      }
    },
    get approvalUnavailable() {
      return unavailable;
    },
    abandon: () => registry.abandon(),
    async [Symbol.asyncDispose]() {
      using _worktrees = worktrees;
      await registry[Symbol.asyncDispose]();
    },
  };
}
