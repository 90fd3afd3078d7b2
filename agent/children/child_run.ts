import { reasonOf } from "../session/error.ts";
import type { Apart } from "./apart.ts";
import { type StopCause, stoppedUnstarted, type WholeEnd, wholeEnd } from "./child_end.ts";
import { type ChildLine, type ChildStart, openChildLine, type ProcessEnd } from "./child_line.ts";
import type { ChildTask, FromChild, ToChild } from "./messages.ts";
import type { SeenWork } from "./seen_work.ts";

/** How a child is started, and what it is told first. */
export interface PreparedChild {
  readonly start: ChildStart;
  readonly task: ChildTask;
}

/** What the run of a child is made of. */
export interface RunParts {
  /** How it is started, worked out when its turn comes; `apart` is its workspace, if it has its own. */
  readonly prepare: (apart?: string) => PreparedChild;
  /** Opens a workspace of its own; absent: it works in that of its parent. */
  readonly openApart?: (signal: AbortSignal) => Promise<Apart>;
  readonly now: () => number;
  /** Default {@linkcode STOP_GRACE_MS}. */
  readonly stopGraceMs?: number;
  /** From its start, in milliseconds. */
  readonly timeoutMs: number;
  /** What it was seen to do. */
  readonly work: Pick<SeenWork, "result" | "error">;
  readonly take: (message: FromChild) => void;
  /** Called once, when it has its end. */
  readonly onEnd: () => void;
  /** Called after each change of what this tells, its end included. */
  readonly onChange: () => void;
}

/** How long a child that is told to end may take to end its commands, in milliseconds. */
const STOP_GRACE_MS = 10_000;

/** How long its process may stay after its result, in milliseconds: a session is closed meanwhile. */
const LEAVE_MS = 30_000;

/** The way of a child from its place in the queue through its process to its one end. */
export class ChildRun {
  readonly #parts: RunParts;
  readonly #ended = Promise.withResolvers<void>();
  /** Raised when it is told to end. */
  readonly #stopping = new AbortController();
  #apart: Apart | undefined;
  #line: ChildLine | undefined;
  #cause: StopCause | undefined;
  #end: WholeEnd | undefined;
  #startedMs: number | undefined;
  #endedMs: number | undefined;
  #lackedApproval = false;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Of its process, while there is one. */
  get pid(): number | undefined {
    return this.#line?.pid;
  }

  get hasBegun(): boolean {
    return this.#startedMs !== undefined;
  }

  /** Since its start and until its end, in whole milliseconds. */
  get durationMs(): number {
    if (this.#startedMs === undefined) return 0;
    return Math.round((this.#endedMs ?? this.#parts.now()) - this.#startedMs);
  }

  /** Undefined before it has ended. */
  get end(): WholeEnd | undefined {
    return this.#end;
  }

  /** Whether nobody could be asked about what it did apart. */
  get lackedApproval(): boolean {
    return this.#lackedApproval;
  }

  /** Resolves when no process of it is left. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Starts its process; to be called once, when there is a place for it. */
  begin(): void {
    if (this.#end) return;
    this.#startedMs = this.#parts.now();
    this.#after(this.#parts.timeoutMs, () => void this.stop("timeout"));
    if (this.#parts.openApart) void this.#beginApart(this.#parts.openApart);
    else this.#open();
  }

  /** Says something to its process, if there is one. */
  send(message: ToChild): void {
    this.#line?.send(message);
  }

  /** Ends it; resolves when no process of it is left. One that has ended stays as it ended. */
  async stop(cause: StopCause): Promise<void> {
    if (this.#end) return;
    if (this.#cause !== undefined) return await this.ended;
    this.#cause = cause;
    this.#stopping.abort();
    if (!this.hasBegun) return this.#finishAs(stoppedUnstarted(cause));
    this.send({ type: "cancel" });
    this.#killAfter(this.#parts.stopGraceMs ?? STOP_GRACE_MS);
    await this.ended;
  }

  /** It has told its result: its process goes soon, or is ended. */
  awaitLeave(): void {
    this.#killAfter(LEAVE_MS);
  }

  async #beginApart(openApart: NonNullable<RunParts["openApart"]>): Promise<void> {
    this.#parts.onChange();
    try {
      this.#apart = await openApart(this.#stopping.signal);
    } catch (error) {
      const cause = this.#cause;
      return this.#finishAs(cause === undefined ? failedStart(error) : stoppedUnstarted(cause));
    }
    if (this.#cause === undefined) this.#open();
    else await this.#leave(stoppedUnstarted(this.#cause));
  }

  #open(): void {
    try {
      const { start, task } = this.#parts.prepare(this.#apart?.path);
      const line = openChildLine(start, this.#parts.take);
      this.#line = line;
      line.send({ type: "start", task });
      void line.ended.then((process) => this.#finish(process));
      this.#parts.onChange();
    } catch (error) {
      void this.#leave(failedStart(error));
    }
  }

  async #finish(process: ProcessEnd): Promise<void> {
    const { result, error } = this.#parts.work;
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
    this.#clearTimers();
    this.#parts.onEnd();
    this.#ended.resolve();
    this.#parts.onChange();
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #killAfter(ms: number): void {
    this.#after(ms, () => this.#line?.kill());
  }

  #after(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(act, ms));
  }
}

function failedStart(error: unknown): WholeEnd {
  return { state: "failure", end: { reason: reasonOf(error), text: "" } };
}
