import type { Profile, Tier } from "../sandbox/rights/tier.ts";
import type { ChildState } from "../tools/subagent/children.ts";
import type { EndReason } from "./exit_code.ts";

/**
 * What happens in a run, as the event stream publishes it: these are the objects that
 * `--output-format stream-json` prints, one a line, hence their spelling. Fields and types are
 * only ever added.
 */
export type AgentEvent =
  | SessionEvent
  | { readonly type: "turn"; readonly n: number }
  /** A whole message. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** A piece of it while the model thinks. */
  | { readonly type: "reasoning_delta"; readonly text: string }
  | ToolCallEvent
  /** Output of a running call, for the screen. */
  | { readonly type: "tool_progress"; readonly call_id: string; readonly text: string }
  | ToolResultEvent
  | ApprovalEvent
  | RetryEvent
  | UserEvent
  | CompactionEvent
  /** A summary could not be had or used; the conversation is what it was. */
  | { readonly type: "compaction_failed"; readonly reason: string }
  /** Older results of calls are no longer sent, to fit the model's window; the log keeps them. */
  | { readonly type: "left_out"; readonly results: number }
  | UsageEvent
  | EgressEvent
  | JobEvent
  | ChildEvent
  | HookEvent
  | ErrorEvent
  | ResultEvent;

/** The first event: what runs, and inside what. */
export interface SessionEvent {
  readonly type: "session";
  readonly session_id: string;
  readonly version: string;
  readonly cwd: string;
  readonly model: string;
  readonly tier: Tier;
  readonly tier_reason: string;
  readonly profile: Profile;
}

export interface ToolCallEvent {
  readonly type: "tool_call";
  readonly call_id: string;
  readonly name: string;
  /** As parsed; the raw text where it was no JSON. */
  readonly arguments: unknown;
}

export interface ToolResultEvent {
  readonly type: "tool_result";
  readonly call_id: string;
  readonly name: string;
  readonly is_error: boolean;
  /** What the model is told. */
  readonly text: string;
  /** What the tool found; null where it did not come to an end. */
  readonly value: unknown;
  /** What the call changed in files, as a unified diff; absent where that is unknown or too long. */
  readonly diff?: string;
}

export interface ApprovalEvent {
  readonly type: "approval";
  readonly call_id: string;
  readonly decision: "allow" | "deny" | "unavailable";
  readonly reason: string;
  /** What the person made of the call's arguments. */
  readonly arguments?: unknown;
}

export interface RetryEvent {
  readonly type: "retry";
  readonly attempt: number;
  readonly delay_ms: number;
  readonly reason: string;
}

/** What the person said while a task runs has been told to the model, as text. */
export interface UserEvent {
  readonly type: "user";
  readonly text: string;
}

/** A summary stands for the older part of the conversation from here on; estimates of a request. */
export interface CompactionEvent {
  readonly type: "compaction";
  readonly before_tokens: number;
  readonly after_tokens: number;
}

/** Tokens so far; `cost_usd` is absent where a price is unknown. */
export interface UsageTotals {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly cost_usd?: number;
}

export interface UsageEvent extends UsageTotals {
  readonly type: "usage";
}

/** A connection that a command or a tool had, once it has ended. */
export interface EgressEvent {
  readonly type: "egress";
  readonly source: "command" | "tool";
  readonly host: string;
  readonly port: number;
  readonly bytes_up: number;
  readonly bytes_down: number;
}

/** A job has begun, has ended, or still ran when the session ended and was ended with it. */
export interface JobEvent {
  readonly type: "job";
  readonly job_id: string;
  readonly state: "running" | "ended" | "stopped";
  readonly command: string;
}

/** Something went wrong. */
export interface ErrorEvent {
  readonly type: "error";
  readonly message: string;
  /** Stable. */
  readonly code: string;
  /** How long the model's server asks to wait, where it said so. */
  readonly retry_after_ms?: number;
}

/** A hook has run. */
export interface HookEvent {
  readonly type: "hook";
  /** As `PreToolUse`. */
  readonly event: string;
  readonly command: string;
  readonly origin: "user" | "project";
  /** `failed`: it did not work, and everything went on without it. */
  readonly outcome: "passed" | "blocked" | "failed";
  readonly call_id?: string;
  /** Null where it did not end by itself. */
  readonly exit_code: number | null;
  readonly duration_ms: number;
  readonly decision?: "allow" | "deny" | "ask";
  readonly reason?: string;
  /** What it made of the call's arguments. */
  readonly arguments?: unknown;
}

/** A sub-agent waits for a place, has begun, asks, or has ended. */
export interface ChildEvent {
  readonly type: "child";
  readonly child_id: string;
  readonly role: string;
  readonly description: string;
  readonly state: ChildState;
  /** The session that it writes, once it has one. */
  readonly session_id?: string;
  /** Why it ended. */
  readonly reason?: string;
}

/** The last event, on every way out. */
export interface ResultEvent {
  readonly type: "result";
  readonly reason: EndReason;
  readonly exit_code: number;
  /** The model's last message. */
  readonly text: string;
  readonly turns: number;
  readonly usage: UsageTotals;
  readonly duration_ms: number;
}

/** Takes events as they happen. */
export type EventSink = (event: AgentEvent) => void;
