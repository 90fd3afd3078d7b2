import type { AgentEvent, UsageTotals } from "../events.ts";
import type { EndReason } from "../exit_code.ts";
import type { FinishReason } from "../messages.ts";
import type { ModelErrorKind } from "../model/model.ts";

/**
 * What is told of a run to whoever records it: the events that everybody gets, and what only a
 * record is interested in. Nothing here reaches a model or a person's screen.
 */
export type Observation =
  | AgentEvent
  | TaskStarted
  | TaskEnded
  | RequestStarted
  | RequestEnded
  | CompactionStarted
  | CompactionEnded
  | CallCleared
  | RightsFixed
  | NoteTold;

/** Takes observations as they are made; it never throws, and keeps nobody waiting. */
export type Observe = (observation: Observation) => void;

/** A task is begun. */
export interface TaskStarted {
  readonly type: "task_started";
  /** What the person said, as text. */
  readonly prompt: string;
}

/** A task has ended, in whatever way. */
export interface TaskEnded {
  readonly type: "task_ended";
  readonly reason: EndReason;
  readonly exit_code: number;
  readonly turns: number;
  readonly duration_ms: number;
}

/** A model is asked; retries are a part of the same request. */
export interface RequestStarted {
  readonly type: "request_started";
  /** From 1, in the order of their beginning. */
  readonly request_id: number;
  readonly model: string;
  readonly messages: number;
  readonly tools: number;
}

/** A request has its answer, or has none. */
export interface RequestEnded {
  readonly type: "request_ended";
  readonly request_id: number;
  readonly outcome: "answered" | "failed" | "stopped";
  readonly duration_ms: number;
  /** Until the first piece of the answer; absent where none came. */
  readonly first_ms?: number;
  readonly retries: number;
  readonly finish?: FinishReason;
  /** The model that says it answered. */
  readonly answered_by?: string;
  readonly usage?: Omit<UsageTotals, "cost_usd">;
  /** What the model said. */
  readonly answer?: Answer;
  readonly error?: ModelErrorKind;
  /** HTTP status of the last refusal, where there was one. */
  readonly status?: number;
  readonly message?: string;
}

/** An answer of a model, without what it thought. */
export interface Answer {
  readonly text: string;
  readonly tool_calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** The older part of the conversation is to be summed up. */
export interface CompactionStarted {
  readonly type: "compaction_started";
  /** Whether a person wants it. */
  readonly asked: boolean;
}

/** It was, or was not; then the conversation is what it was. */
export interface CompactionEnded {
  readonly type: "compaction_ended";
  readonly ok: boolean;
  /** Estimates of a request before and after; absent where there was none after. */
  readonly before_tokens?: number;
  readonly after_tokens?: number;
  /** Why there is no summary. */
  readonly reason?: string;
}

/** A call has passed the gate, asked or unasked, and is about to run. */
export interface CallCleared {
  readonly type: "call_cleared";
  readonly call_id: string;
  readonly read_only: boolean;
}

/** What the run may do, once that is settled. */
export interface RightsFixed {
  readonly type: "rights";
  readonly tier: string;
  readonly tier_reason: string;
  readonly profile: string;
  readonly approval: string;
  readonly workspace: string;
  /** By kind, as the flags name it: `all`, or a list. */
  readonly granted: Readonly<Record<string, "all" | readonly string[]>>;
  readonly denied: Readonly<Record<string, "all" | readonly string[]>>;
  /** The kinds of which Deno itself gives this process everything, from here on. */
  readonly whole: readonly string[];
  readonly offered: readonly string[];
  /** Tools that were wanted and are missing, with the reason. */
  readonly missing: Readonly<Record<string, string>>;
}

/** A line for people was written. */
export interface NoteTold {
  readonly type: "note";
  readonly line: string;
  readonly alarm: boolean;
}
