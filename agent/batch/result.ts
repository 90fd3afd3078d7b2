import * as z from "zod";
import type { ResultEvent, UsageTotals } from "../events.ts";
import { type EndReason, EXIT } from "../exit_code.ts";
import type { BatchTask } from "./task.ts";

/** What came of one task, as a line of `results.jsonl`: published, so fields are only ever added. */
export interface TaskResult {
  readonly id: string;
  /** Of the task in its file, from 0. */
  readonly index: number;
  readonly reason: EndReason;
  readonly exit_code: number;
  /** The last message of the model. */
  readonly text: string;
  /** The answer as a value, where a schema was given and met. */
  readonly result?: unknown;
  /** What went wrong, in one sentence. */
  readonly error?: string;
  readonly turns: number;
  readonly usage: UsageTotals;
  readonly duration_ms: number;
  /** Its log, for `cordon export` and `cordon resume`. */
  readonly session_id?: string;
  /** The folder with what it did, where that is no copy any more or one that was kept. */
  readonly workspace?: string;
  /** The branch of git's that has its commits. */
  readonly branch?: string;
  /** From 1: how often it was begun in this run of the batch. */
  readonly attempt: number;
  /** Digest of the task as it was. */
  readonly task: string;
  /** When it ended, in ISO 8601. */
  readonly ended: string;
}

/** What is read back of a result; what more its line holds stays as it is. */
export interface KnownResult {
  readonly id: string;
  readonly reason: string;
  readonly exit_code: number;
  readonly usage: { readonly cost_usd?: number | undefined };
  readonly workspace?: string | undefined;
  readonly task?: string | undefined;
}

const knownResult = z.object({
  id: z.string(),
  reason: z.string(),
  exit_code: z.number(),
  usage: z.object({ cost_usd: z.number().optional() }),
  workspace: z.string().optional(),
  task: z.string().optional(),
});

/** A line of results; undefined where it is none. */
export function parseResult(line: string): KnownResult | undefined {
  try {
    return knownResult.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a task is done with: the others may go well if they are tried once more. */
export function isFinal({ exit_code, reason }: Pick<KnownResult, "exit_code" | "reason">): boolean {
  return exit_code !== EXIT.tryLater && reason !== "budget" && reason !== "interrupted";
}

/** Whether a task was done. */
export function isDone({ exit_code }: Pick<KnownResult, "exit_code">): boolean {
  return exit_code === EXIT.done;
}

/** All that is known of an attempt when nothing of it works any more. */
export interface AttemptFacts {
  /** What it said itself of its end. */
  readonly said: ResultEvent | undefined;
  /** Why it was ended from outside. */
  readonly stopped: "time_limit" | "budget" | "interrupted" | undefined;
  /** In one sentence; empty where nothing went wrong. */
  readonly error: string;
  readonly usage: UsageTotals;
  readonly turns: number;
  readonly durationMs: number;
  readonly sessionId: string | undefined;
  readonly workspace: string | undefined;
  readonly branch: string | undefined;
  readonly attempt: number;
  readonly ended: Date;
}

/** The line of an attempt. Pure. */
export function resultOf(
  { id, index, digest, schema }: Pick<BatchTask, "id" | "index" | "digest" | "schema">,
  facts: AttemptFacts,
): TaskResult {
  const { said, error, sessionId, workspace, branch, attempt } = facts;
  const end = endOf(facts);
  const text = said?.text ?? "";
  const value = schema !== undefined && end.exit_code === EXIT.done ? parsed(text) : undefined;
  return {
    ...{ id, index },
    ...end,
    text,
    ...(value && { result: value.value }),
    ...(error !== "" && end.exit_code !== EXIT.done && { error }),
    turns: facts.turns,
    usage: facts.usage,
    duration_ms: Math.round(facts.durationMs),
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(workspace !== undefined && { workspace }),
    ...(branch !== undefined && { branch }),
    ...{ attempt, task: digest, ended: facts.ended.toISOString() },
  };
}

/** What it finished before it was told to end counts. */
function endOf({ said, stopped }: AttemptFacts): Pick<TaskResult, "reason" | "exit_code"> {
  if (said && (said.reason !== "interrupted" || stopped === undefined)) {
    return { reason: said.reason, exit_code: said.exit_code };
  }
  switch (stopped) {
    case "time_limit":
    case "budget":
      return { reason: stopped, exit_code: EXIT.limit };
    case "interrupted":
      return { reason: stopped, exit_code: EXIT.interrupted };
    case undefined:
      return { reason: "failed", exit_code: EXIT.failed };
  }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
