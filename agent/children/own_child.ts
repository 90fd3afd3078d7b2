import type {
  Child,
  ChildFacts,
  ChildLimits,
  ChildQuestion,
  ChildRequest,
  ChildUsage,
} from "../../tools/subagent/children.ts";
import type { PersonQuestion } from "../../tools/tool.ts";
import type { AgentEvent } from "../events.ts";
import type { Decision, Edited, Question } from "../gate/approver.ts";
import type { Apart } from "./apart.ts";
import { type StopCause, type WholeEnd, wholeEnd } from "./child_end.ts";
import { type ChildLine, type ChildStart, openChildLine, type ProcessEnd } from "./child_line.ts";
import type { ChildTask, FromChild } from "./messages.ts";
import { PendingApprovals } from "./pending_approvals.ts";
import { SeenWork } from "./seen_work.ts";

/** What a child needs of the session that it belongs to. */
export interface ChildParts {
  readonly id: string;
  readonly request: ChildRequest;
  /** How it is started, worked out when its turn comes; `apart` is its workspace, if it has its own. */
  readonly prepare: (apart?: string) => { readonly start: ChildStart; readonly task: ChildTask };
  /** Opens a workspace of its own; absent: it works in that of its parent. */
  readonly openApart?: (signal: AbortSignal) => Promise<Apart>;
  /** Puts a question about one of its calls to a person. */
  readonly approve: (question: Question, signal: AbortSignal) => Promise<Decision | Edited>;
  /** Called after each change of its facts. */
  readonly onChange: (child: OwnChild) => void;
  /** Takes lines for people. */
  readonly note: (line: string, alarm: boolean) => void;
  /** Reads the session that it wrote. */
  readonly readLog: (sessionId: string) => Promise<string>;
  readonly now: () => number;
  /** Default {@linkcode STOP_GRACE_MS}. */
  readonly stopGraceMs?: number;
}

/** How long a child that is told to end may take to end its commands, in milliseconds. */
const STOP_GRACE_MS = 10_000;

/** How long its process may stay after its result, in milliseconds: a session is closed meanwhile. */
const LEAVE_MS = 30_000;

/** A child as its parent sees it: in the queue, as a process, or as what came of it. */
export class OwnChild implements Child {
  readonly id: string;
  readonly #parts: ChildParts;
  readonly #watchers = new Set<() => void>();
  readonly #approvals = new PendingApprovals();
  readonly #work = new SeenWork();
  readonly #ended = Promise.withResolvers<void>();
  /** Raised when it is told to end. */
  readonly #stopping = new AbortController();
  #apart: Apart | undefined;
  #line: ChildLine | undefined;
  #question: { readonly id: number; readonly asked: ChildQuestion } | undefined;
  #cause: StopCause | undefined;
  #end: WholeEnd | undefined;
  #startedMs: number | undefined;
  #endedMs: number | undefined;
  #lackedApproval = false;
  #timers: ReturnType<typeof setTimeout>[] = [];
  /** What the model knows of its state already. */
  #toldEnd = false;
  #toldQuestion: number | undefined;

  constructor(parts: ChildParts) {
    this.id = parts.id;
    this.#parts = parts;
  }

  /** Of its process, while there is one. */
  get pid(): number | undefined {
    return this.#end ? undefined : this.#line?.pid;
  }

  /** Whether a call of it needed a yes, and nobody could be asked. */
  get lackedApproval(): boolean {
    return this.#lackedApproval || this.#work.result?.reason === "approval_unavailable";
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
    return this.#ended.promise;
  }

  /** Starts its process; to be called once, when there is a place for it. */
  begin(): void {
    if (this.#end) return;
    this.#startedMs = this.#parts.now();
    this.#after(this.#parts.request.limits.timeoutMs, () => void this.#stop("timeout"));
    if (this.#parts.openApart) void this.#beginApart(this.#parts.openApart);
    else this.#open();
  }

  async #beginApart(openApart: NonNullable<ChildParts["openApart"]>): Promise<void> {
    this.#changed();
    const { signal } = this.#stopping;
    try {
      this.#apart = await openApart(signal);
    } catch (error) {
      return this.#finishAs(
        signal.aborted
          ? wholeEnd({ cause: this.#cause, process: NEVER_STARTED })
          : failedStart(error),
      );
    }
    if (signal.aborted) await this.#finish(NEVER_STARTED);
    else this.#open();
  }

  #open(): void {
    try {
      const { start, task } = this.#parts.prepare(this.#apart?.path);
      const line = openChildLine(start, (message) => this.#take(message));
      this.#line = line;
      line.send({ type: "start", task });
      void line.ended.then((process) => this.#finish(process));
      this.#changed();
    } catch (error) {
      void this.#leave(failedStart(error));
    }
  }

  facts(): ChildFacts {
    const { role, description } = this.#parts.request;
    const { turns, usage, sessionId, activity } = this.#work;
    const waiting = this.#question === undefined ? "running" : "question";
    const state = this.#end?.state ?? (this.#startedMs === undefined ? "queued" : waiting);
    const until = this.#endedMs ?? this.#parts.now();
    return {
      id: this.id,
      role,
      description: description ?? "",
      state,
      ...{ turns, usage },
      durationMs: this.#startedMs === undefined ? 0 : Math.round(until - this.#startedMs),
      ...(sessionId !== undefined && { sessionId }),
      ...(activity !== undefined && { activity }),
      ...(this.#question && { question: this.#question.asked }),
      ...(this.#end && { end: this.#end.end }),
    };
  }

  async settled(): Promise<void> {
    while (!this.#end && this.#question === undefined) {
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
    if (this.#end || this.#work.result || !this.#line) return "ended";
    const question = this.#question;
    if (!question) {
      this.#line.send({ type: "steer", text });
      return "told";
    }
    this.#question = undefined;
    this.#line.send({ type: "reply", id: question.id, text });
    this.#changed();
    return "answered";
  }

  async cancel(how: "cancelled" | "budget" = "cancelled"): Promise<void> {
    await this.#stop(how);
  }

  told(): void {
    if (this.#end) this.#toldEnd = true;
    this.#toldQuestion = this.#question?.id ?? this.#toldQuestion;
  }

  async log(): Promise<string> {
    const { sessionId } = this.#work;
    return sessionId === undefined ? "" : await this.#parts.readLog(sessionId);
  }

  /** Tells its process to end without waiting for it: for a program that ends at once. */
  abandon(): void {
    this.#line?.send({ type: "cancel" });
  }

  async #stop(cause: StopCause): Promise<void> {
    if (this.#end) return;
    if (this.#cause !== undefined) return await this.ended;
    this.#cause = cause;
    this.#stopping.abort();
    if (this.#startedMs === undefined) {
      return this.#finishAs(wholeEnd({ cause, process: NEVER_STARTED }));
    }
    this.#line?.send({ type: "cancel" });
    this.#after(this.#parts.stopGraceMs ?? STOP_GRACE_MS, () => this.#line?.kill());
    await this.ended;
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
          (decision) => this.#line?.send({ type: "decision", id: message.id, decision }),
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
    if (event.type === "usage" && isOver(this.#work.usage, this.#parts.request.limits)) {
      void this.#stop("budget");
    }
    if (event.type === "result") this.#after(LEAVE_MS, () => this.#line?.kill());
    this.#changed();
  }

  #ask(id: number, { question, options }: PersonQuestion): void {
    this.#question = { id, asked: { question, ...(options && { options }) } };
    this.#changed();
  }

  async #finish(process: ProcessEnd): Promise<void> {
    const { result, error } = this.#work;
    this.#line = undefined;
    await this.#leave(wholeEnd({ result, cause: this.#cause, error, process }));
  }

  /** Ends it as it ended, after what it did apart was brought home. */
  async #leave(whole: WholeEnd): Promise<void> {
    if (!this.#apart) return this.#finishAs(whole);
    // From here on it waits for a person, and not for itself.
    this.#clearTimers();
    const unwanted = whole.state === "success" ? undefined : "it did not succeed";
    const { landing, approvalUnavailable } = await this.#apart.leave(
      unwanted,
      this.#stopping.signal,
    );
    this.#lackedApproval = approvalUnavailable;
    this.#finishAs({ ...whole, end: { ...whole.end, landing } });
  }

  #finishAs(end: WholeEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#endedMs = this.#parts.now();
    this.#question = undefined;
    this.#clearTimers();
    this.#approvals.withdrawAll();
    this.#ended.resolve();
    this.#changed();
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #after(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(act, ms));
  }

  #changed(): void {
    this.#parts.onChange(this);
    for (const listener of [...this.#watchers]) listener();
  }
}

/** Whether a child has used more than it may. */
function isOver(
  { input_tokens, output_tokens, cost_usd = 0 }: ChildUsage,
  { maxTokens, maxCostUsd }: ChildLimits,
): boolean {
  return (maxTokens !== undefined && input_tokens + output_tokens > maxTokens) ||
    (maxCostUsd !== undefined && cost_usd > maxCostUsd);
}

function failedStart(error: unknown): WholeEnd {
  const reason = error instanceof Error ? error.message : String(error);
  return { state: "failure", end: { reason, text: "" } };
}

const NEVER_STARTED: ProcessEnd = { code: 0, signal: null, lastWords: "" };
