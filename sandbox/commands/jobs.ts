import type { CommandResult, Look, RunningCommand } from "./commands.ts";
import { JobTexts } from "./job_texts.ts";
import { type JobWait, type Waited, waitFor } from "./job_wait.ts";
import { KILL_GRACE_MS } from "./signals.ts";

export type { JobWait };

/** Jobs that run at the same time, at the most; more are refused. */
export const MAX_RUNNING_JOBS = 32;

/** Jobs that are remembered, at the most: past it the oldest of those that ended are forgotten. */
const MAX_KEPT_JOBS = 64;

/** How much of a command is remembered, in characters. */
const KEPT_CHARACTERS = 1_000;

/** What jobs get between SIGTERM and SIGKILL when the session ends, in milliseconds. */
const SESSION_GRACE_MS = 1_000;

/** The capability `jobs`: commands that go on after the call that started them. */
export interface Jobs {
  /** Why no further job can be taken, as half a sentence; undefined: one can. */
  readonly refusal: string | undefined;
  /** Takes over a command that runs; nothing limits its time from here on. */
  add(command: string, running: RunningCommand): Job;
  find(id: string): Job | undefined;
  /** Those that run and those that ended of late, oldest first. */
  list(): readonly Job[];
}

/** A command that goes on in the background. */
export interface Job {
  readonly id: string;
  /** As far as it is remembered. */
  readonly command: string;
  /** How it ended; undefined while it runs. */
  readonly end: JobEnd | undefined;
  /** Milliseconds since it was started, until now or its end. */
  readonly durationMs: number;
  /** Bytes of text that no look has shown. */
  readonly newBytes: number;
  /** What it has written since the look before; its end counts as told once a look has seen it. */
  look(): Look;
  /** Waits until the job has ended or does what is waited for. */
  wait(until: JobWait): Promise<Waited>;
  /** SIGTERM, and SIGKILL after 3 s; does nothing where it has ended. */
  stop(): Promise<void>;
}

export interface JobEnd extends Pick<CommandResult, "exitCode" | "signal"> {
  /** By itself, by `stop`, or because the session ended. */
  readonly how: "by_itself" | "stopped" | "session_end";
  /** What was done about files that it made, as in {@linkcode CommandResult}. */
  readonly notes: readonly string[];
  /** A look was taken since, so the model knows. */
  readonly told: boolean;
}

/** Where no job can be, and why. */
export function noJobs(refusal: string): Jobs {
  return {
    refusal,
    add() {
      throw new TypeError(`Cannot start a job: ${refusal}`);
    },
    find: () => undefined,
    list: () => [],
  };
}

export interface JobRegistryOptions {
  /** The number of the first job: a resumed session goes on counting. */
  readonly firstId?: number;
  /** Called when a job has begun and when it has ended. */
  readonly onChange?: (job: Job) => void;
  /** What went wrong while a job was waited for; it then counts as ended. */
  readonly logError?: (error: unknown) => void;
}

/** The jobs of a session; all end with it. */
export class JobRegistry implements Jobs, AsyncDisposable {
  readonly #options: JobRegistryOptions;
  readonly #jobs = new Map<string, RunningJob>();
  readonly #untold = new Set<RunningJob>();
  #nextId: number;
  #closed = false;

  constructor(options: JobRegistryOptions = {}) {
    this.#options = options;
    this.#nextId = options.firstId ?? 1;
  }

  get refusal(): string | undefined {
    if (this.#closed) return "the session has ended";
    if (this.#running().length < MAX_RUNNING_JOBS) return undefined;
    return `${MAX_RUNNING_JOBS} jobs are running, end one with job_kill`;
  }

  add(command: string, running: RunningCommand): Job {
    const { onChange, logError } = this.#options;
    const job = new RunningJob(String(this.#nextId++), beginningOf(command), running);
    this.#jobs.set(job.id, job);
    this.#forgetOld();
    onChange?.(job);
    job.settle().catch((error) => logError?.(error)).finally(() => {
      this.#untold.add(job);
      onChange?.(job);
    });
    return job;
  }

  find(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  list(): readonly Job[] {
    return [...this.#jobs.values()];
  }

  /** The jobs that ended since this was asked before. */
  takeEnded(): Job[] {
    const ended = [...this.#untold];
    this.#untold.clear();
    return ended;
  }

  /** Ends what runs; resolves when nothing of it is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#running().map((job) => job.endWithSession(SESSION_GRACE_MS)));
  }

  #running(): RunningJob[] {
    return [...this.#jobs.values()].filter(({ end }) => end === undefined);
  }

  #forgetOld(): void {
    for (const [id, { end }] of this.#jobs) {
      if (this.#jobs.size <= MAX_KEPT_JOBS) return;
      if (end) this.#jobs.delete(id);
    }
  }
}

class RunningJob implements Job {
  readonly #running: RunningCommand;
  readonly #texts: JobTexts;
  #stopped: JobEnd["how"] = "by_itself";
  #end: JobEnd | undefined;
  #endedAt: number | undefined;
  /** What was left to look at when it ended. */
  #rest: Look | undefined;

  constructor(readonly id: string, readonly command: string, running: RunningCommand) {
    this.#running = running;
    this.#texts = new JobTexts(running);
  }

  get end(): JobEnd | undefined {
    return this.#end;
  }

  get durationMs(): number {
    return Math.round((this.#endedAt ?? performance.now()) - this.#running.startedAt);
  }

  get newBytes(): number {
    return this.#texts.newBytes;
  }

  /** Waits for the command's end and takes note of it. */
  async settle(): Promise<void> {
    let facts: Pick<JobEnd, "exitCode" | "signal" | "notes"> = {
      ...{ exitCode: null, signal: null, notes: [] },
    };
    try {
      const result = await this.#running.ended;
      const { stdout, stderr, spill } = result;
      this.#rest = { stdout, stderr, ...(spill && { spill }) };
      const { exitCode, signal, notes = [] } = result;
      facts = { exitCode, signal, notes };
      if (!result.aborted) this.#stopped = "by_itself";
    } finally {
      this.#endedAt = performance.now();
      this.#end = { ...facts, how: this.#stopped, told: false };
      this.#texts.end();
    }
  }

  look(): Look {
    if (!this.#end) return this.#texts.shown(this.#running.look());
    this.#end = { ...this.#end, told: true };
    const rest = this.#rest ?? NOTHING;
    this.#rest = NOTHING;
    return this.#texts.shown(rest);
  }

  async wait(until: JobWait): Promise<Waited> {
    return this.#end ? "ended" : await waitFor(until, this.#running, this.#texts);
  }

  async stop(): Promise<void> {
    await this.#endAs("stopped", KILL_GRACE_MS);
  }

  async endWithSession(graceMs: number): Promise<void> {
    await this.#endAs("session_end", graceMs);
  }

  async #endAs(how: JobEnd["how"], graceMs: number): Promise<void> {
    if (this.#end) return;
    this.#stopped = how;
    await this.#running.stop(graceMs);
    await this.#texts.ended;
  }
}

/** A copy, since a part of a string keeps the whole of it in memory. */
function beginningOf(command: string): string {
  if (command.length <= KEPT_CHARACTERS) return command;
  const bytes = new TextEncoder().encode(command.slice(0, KEPT_CHARACTERS));
  return `${new TextDecoder().decode(bytes)}…`;
}

const SILENCE = { head: "", tail: "", bytes: 0, omitted: 0 };
const NOTHING: Look = { stdout: SILENCE, stderr: SILENCE };
