import type { SweptRun } from "../../sandbox/sweep/sweeper.ts";
import type { Tool } from "../../tools/tool.ts";
import type { EditChecks } from "../edit_checks/edit_checks.ts";
import type { CallHooks } from "../hooks/call_hooks.ts";
import type { RepetitionWatch } from "../loop/repetition_watch.ts";
import type { Observe } from "../observation/observation.ts";
import type { PlanParts } from "./plan_call.ts";

/** What the executor works with, the same for every call of a run. */
export interface ExecutorParts extends PlanParts {
  /** The tools that are offered. */
  readonly tools: readonly Tool[];
  readonly watch: RepetitionWatch;
  /** Told of each call that is about to run; absent: nobody is. */
  readonly observe?: Observe;
  /** Resolves once it is known what must not be shown; awaited before a tool looks at anything. */
  readonly ready?: () => Promise<void>;
  /** Runs a tool, and says what was done about files that are obeyed unasked; absent: it just runs. */
  readonly swept?: <T>(run: () => Promise<T>) => Promise<SweptRun<T>>;
  /** Absent where none are configured. */
  readonly hooks?: CallHooks;
  /** What is done around edits; absent: nothing. */
  readonly edits?: Pick<EditChecks, "around">;
  /** Awaited before each call that is not read-only. */
  readonly beforeChange?: (callId: string, signal: AbortSignal) => Promise<void>;
  /** Why a tool cannot be used until the task ends, in a sentence; absent: each can. */
  readonly refusal?: (tool: string) => string | undefined;
  /** Takes the stack of an error that no tool expected. */
  readonly logError: (error: unknown) => void;
}
