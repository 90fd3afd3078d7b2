import { isOver } from "../../tools/subagent/budget.ts";
import type {
  Child,
  ChildFacts,
  ChildQuestion,
  ChildRequest,
} from "../../tools/subagent/children.ts";
import type { PersonQuestion } from "../../tools/tool.ts";
import type { AgentEvent } from "../events.ts";
import type { Decision, Edited, Question } from "../gate/approver.ts";
import { ChildRun, type RunParts } from "./child_run.ts";
import type { FromChild } from "./messages.ts";
import { PendingApprovals } from "./pending_approvals.ts";
import { SeenWork } from "./seen_work.ts";

/** What a child needs of the session that it belongs to. */
export interface ChildParts
  extends Pick<RunParts, "prepare" | "openApart" | "now" | "stopGraceMs"> {
  readonly id: string;
  readonly request: ChildRequest;
  /** Puts a question about one of its calls to a person. */
  readonly approve: (question: Question, signal: AbortSignal) => Promise<Decision | Edited>;
  /** Called after each change of its facts. */
  readonly onChange: (child: OwnChild) => void;
  /** Takes lines for people. */
  readonly note: (line: string, alarm: boolean) => void;
  /** Reads the session that it wrote. */
  readonly readLog: (sessionId: string) => Promise<string>;
}

/** A child as its parent sees it: in the queue, as a process, or as what came of it. */
export class OwnChild implements Child {
  readonly id: string;
  readonly #parts: ChildParts;
  readonly #watchers = new Set<() => void>();
  readonly #approvals = new PendingApprovals();
  readonly #work = new SeenWork();
  readonly #run: ChildRun;
  #question: { readonly id: number; readonly asked: ChildQuestion } | undefined;
  /** What the model knows of its state already. */
  #toldEnd = false;
  #toldQuestion: number | undefined;
  #isAnnounced = false;

  constructor(parts: ChildParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#run = new ChildRun({
      ...parts,
      timeoutMs: parts.request.limits.timeoutMs,
      work: this.#work,
      take: (message) => this.#take(message),
      onEnd: () => this.#withdrawQuestions(),
      onChange: () => this.#changed(),
    });
  }

  /** Of its process, while there is one. */
  get pid(): number | undefined {
    return this.#run.pid;
  }

  /** Whether a call of it needed a yes, and nobody could be asked. */
  get lackedApproval(): boolean {
    return this.#run.lackedApproval || this.#work.result?.reason === "approval_unavailable";
  }

  get isNews(): boolean {
    return this.#run.end !== undefined && !this.#toldEnd && !this.#isAnnounced;
  }

  /** Whether its end is known to the model from a result. */
  get endIsTold(): boolean {
    return this.#toldEnd;
  }

  /** Whether it waits for an answer of which the model does not know. */
  get hasNewQuestion(): boolean {
    return this.#question !== undefined && this.#toldQuestion !== this.#question.id;
  }

  /** Resolves when no process of it is left. */
  get ended(): Promise<void> {
    return this.#run.ended;
  }

  /** Starts its process; to be called once, when there is a place for it. */
  begin(): void {
    this.#run.begin();
  }

  facts(): ChildFacts {
    const { role, description } = this.#parts.request;
    const { turns, usage, sessionId, activity } = this.#work;
    const waiting = this.#question === undefined ? "running" : "question";
    const { end, hasBegun, durationMs } = this.#run;
    return {
      id: this.id,
      role,
      description: description ?? "",
      state: end?.state ?? (hasBegun ? waiting : "queued"),
      ...{ turns, usage, durationMs },
      ...(sessionId !== undefined && { sessionId }),
      ...(activity !== undefined && { activity }),
      ...(this.#question && { question: this.#question.asked }),
      ...(end && { end: end.end }),
    };
  }

  async settled(): Promise<void> {
    while (!this.#run.end && this.#question === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      using _watch = this.watch(resolve);
      await promise;
    }
  }

  watch(listener: () => void): Disposable {
    this.#watchers.add(listener);
    return { [Symbol.dispose]: () => void this.#watchers.delete(listener) };
  }

  reply(text: string): "answered" | "told" | "ended" {
    if (this.#work.result || this.#run.pid === undefined) return "ended";
    const question = this.#question;
    if (!question) {
      this.#run.send({ type: "steer", text });
      return "told";
    }
    this.#question = undefined;
    this.#run.send({ type: "reply", id: question.id, text });
    this.#changed();
    return "answered";
  }

  async cancel(how: "cancelled" | "budget" = "cancelled"): Promise<void> {
    await this.#run.stop(how);
  }

  told(): void {
    if (this.#run.end) this.#toldEnd = true;
    this.#toldQuestion = this.#question?.id ?? this.#toldQuestion;
  }

  /** Its end goes into the log, from which the model is told unless it knows. */
  announced(): void {
    this.#isAnnounced = true;
  }

  async log(): Promise<string> {
    const { sessionId } = this.#work;
    return sessionId === undefined ? "" : await this.#parts.readLog(sessionId);
  }

  /** Tells its process to end without waiting for it: for a program that ends at once. */
  abandon(): void {
    this.#run.send({ type: "cancel" });
  }

  #take(message: FromChild): void {
    switch (message.type) {
      case "event":
        return this.#see(message.event);
      case "approval":
        return void this.#approvals.ask(
          message.id,
          message.question,
          this.#parts.approve,
          (decision) => this.#run.send({ type: "decision", id: message.id, decision }),
        );
      case "question":
        return this.#ask(message.id, message.question);
      case "withdrawn":
        this.#approvals.withdraw(message.id);
        if (this.#question?.id !== message.id) return;
        this.#question = undefined;
        return this.#changed();
      case "note":
        return this.#parts.note(message.line, message.alarm);
    }
  }

  #see(event: AgentEvent): void {
    this.#work.see(event);
    if (event.type === "usage" && isOver([this.#work.usage], this.#parts.request.limits)) {
      void this.#run.stop("budget");
    }
    if (event.type === "result") this.#run.awaitLeave();
    this.#changed();
  }

  #ask(id: number, { question, options }: PersonQuestion): void {
    this.#question = { id, asked: { question, ...(options && { options }) } };
    this.#changed();
  }

  /** Nobody needs an answer any more. */
  #withdrawQuestions(): void {
    this.#question = undefined;
    this.#approvals.withdrawAll();
  }

  #changed(): void {
    this.#parts.onChange(this);
    for (const listener of [...this.#watchers]) listener();
  }
}
