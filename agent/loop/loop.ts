import { type AskParts, askWithinWindow } from "./ask_model.ts";
import { isEmptyAnswer } from "./empty_answer.ts";
import type { EventSink } from "../events.ts";
import { executeCalls } from "../calls/execute.ts";
import type { ExecutorParts } from "../calls/executor_parts.ts";
import { type EndReason, EXIT, exitCodeOf } from "../exit_code.ts";
import { interruptionOf } from "../interruption.ts";
import type { AssistantMessage } from "../messages.ts";
import { ModelError } from "../model/model.ts";
import { endOfModelError } from "./model_error_end.ts";
import { assistantRecord, userRecord } from "../session/convert.ts";
import type { ConversationView } from "../session/conversation.ts";
import { type Said, type Steering, textOf } from "./steering.ts";
import { type CostOf, usageTotals } from "../usage_totals.ts";

/** What the loop works with. */
export interface LoopParts extends AskParts {
  readonly conversation: ConversationView;
  readonly executor: ExecutorParts;
  readonly limits: RunLimits;
  readonly costOf: CostOf;
  /** What sub-agents have cost so far, in US dollars; absent where there are none. */
  readonly childrenCost?: () => number;
  /** Whether one of them could not do what nobody was there to allow. */
  readonly childLacksApproval?: () => boolean;
  /** Called before each question to the model: what has happened meanwhile is told first. */
  readonly beforeTurn?: () => Promise<void>;
  /** Takes what a person says into the log; false: it was refused. Absent: it is just taken. */
  readonly hear?: (said: Said, signal: AbortSignal) => Promise<boolean>;
  /** Whether a task that seems done may end; else the log has told the model why not. */
  readonly mayEnd?: (lastMessage: string, signal: AbortSignal) => Promise<boolean>;
  /** What the person says meanwhile; absent where nobody can. */
  readonly steering?: Steering;
}

export interface RunLimits {
  /** Answers of the model in this run. */
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
}

/** How a task ended. */
export interface TaskEnd {
  readonly reason: EndReason;
  readonly exitCode: number;
  /** The model's last message. */
  readonly text: string;
  readonly turns: number;
  /** What the person said meanwhile and the model was not told, in order; absent: nothing. */
  readonly undelivered?: readonly Said[];
}

/**
 * Asks the model, runs its tool calls, and repeats until it answers without calls or something
 * stops it. Model errors are ends, not exceptions; a log that cannot be written is thrown.
 */
export async function runTask(parts: LoopParts, signal: AbortSignal): Promise<TaskEnd> {
  const before = spentUsd(parts);
  let text = "";
  let approvalUnavailable = false;
  let emptyAnswers = 0;
  for (let turn = 1;; turn++) {
    const stop = limitReached(parts, turn, before);
    if (stop) return end(stop, text, turn - 1);
    // What was said before a stop goes back to the person, who may think otherwise by now.
    if (!signal.aborted) await hearPerson(parts, signal);
    parts.emit({ type: "turn", n: turn });
    await parts.beforeTurn?.();
    const answer = await ask(parts, signal);
    if (answer.kind === "end") return { ...answer.end, text, turns: turn - 1 };
    const { message } = answer;
    text = message.text;
    await takeAnswer(message, parts);
    if (message.toolCalls.length === 0) {
      emptyAnswers = isEmptyAnswer(message) ? emptyAnswers + 1 : 0;
      if (!signal.aborted && await goesOn(message, emptyAnswers, parts, signal)) continue;
      approvalUnavailable ||= parts.childLacksApproval?.() ?? false;
      return answered(message, turn, approvalUnavailable, parts.emit);
    }
    const cut = message.finish === "length";
    const executed = await executeCalls(message.toolCalls, cut, parts.executor, signal);
    if (signal.aborted) return { ...interruptedEnd(signal), text, turns: turn };
    if (executed.some(({ repeated }) => repeated)) return end("repeated_failure", text, turn);
    approvalUnavailable ||= executed.some((call) => call.approvalUnavailable);
    emptyAnswers = 0;
  }
}

/** Tells the model, at the next request, what the person has said meanwhile. */
async function hearPerson(parts: LoopParts, signal: AbortSignal): Promise<void> {
  const { steering, emit } = parts;
  for (let said = steering?.take(); said; said = steering?.take()) {
    if (await hear(said, parts, signal)) emit({ type: "user", text: textOf(said) });
  }
}

async function hear(said: Said, parts: LoopParts, signal: AbortSignal): Promise<boolean> {
  if (parts.hear) return await parts.hear(said, signal);
  await parts.executor.append(userRecord(said));
  return true;
}

/** Whether an answer without calls is not the last: somebody has more to say, or it is empty. */
async function goesOn(
  message: AssistantMessage,
  emptyAnswers: number,
  { steering, mayEnd }: LoopParts,
  signal: AbortSignal,
): Promise<boolean> {
  if (cutShort(message)) return false;
  if (steering?.isWaiting === true || emptyAnswers === 1) return true;
  return emptyAnswers === 0 && await mayEnd?.(message.text, signal) === false;
}

function limitReached(
  parts: LoopParts,
  turn: number,
  before: number,
): "turn_limit" | "budget" | undefined {
  const { maxTurns, maxBudgetUsd } = parts.limits;
  if (maxTurns !== undefined && turn > maxTurns) return "turn_limit";
  if (maxBudgetUsd === undefined) return undefined;
  const spent = spentUsd(parts) - before;
  return spent > maxBudgetUsd || (maxBudgetUsd === 0 && turn > 1) ? "budget" : undefined;
}

function spentUsd({ conversation, costOf, childrenCost }: LoopParts): number {
  return (costOf(conversation.usage) ?? 0) + (childrenCost?.() ?? 0);
}

async function takeAnswer(message: AssistantMessage, parts: LoopParts): Promise<void> {
  await parts.executor.append(assistantRecord(message));
  if (message.reasoning?.text) parts.emit({ type: "reasoning", text: message.reasoning.text });
  if (message.text) parts.emit({ type: "text", text: message.text });
  parts.emit({ type: "usage", ...usageTotals(parts.conversation.usage, parts.costOf) });
}

function answered(
  message: AssistantMessage,
  turns: number,
  approvalUnavailable: boolean,
  emit: EventSink,
): TaskEnd {
  const cause = cutShort(message) ?? (isEmptyAnswer(message) ? EMPTY : undefined);
  if (cause) {
    const code = cutShort(message) ? message.finish : "empty_answer";
    emit({ type: "error", message: cause, code });
    return { reason: "model_error", exitCode: EXIT.failed, text: message.text, turns };
  }
  return end(approvalUnavailable ? "approval_unavailable" : "done", message.text, turns);
}

const EMPTY = "The model answered twice with nothing: say it in another way, or take another model";

function cutShort({ finish }: AssistantMessage): string | undefined {
  switch (finish) {
    case "length":
      return "The answer was cut off by the token limit: ask for less, or raise --max-output-tokens";
    case "content_filter":
      return "The answer was cut off by the server's content filter: ask in another way";
    case "stop":
    case "tool_calls":
      return undefined;
  }
}

type Answer =
  | { readonly kind: "message"; readonly message: AssistantMessage }
  | { readonly kind: "end"; readonly end: Pick<TaskEnd, "reason" | "exitCode"> };

async function ask(parts: LoopParts, signal: AbortSignal): Promise<Answer> {
  try {
    return { kind: "message", message: await askWithinWindow(parts, signal) };
  } catch (error) {
    return asEnd(error, parts.emit, signal);
  }
}

function asEnd(error: unknown, emit: EventSink, signal: AbortSignal): Answer {
  if (signal.aborted) return { kind: "end", end: interruptedEnd(signal) };
  if (!(error instanceof ModelError)) throw error;
  const { message, kind: code, options: { retryAfterMs } } = error;
  emit({
    ...{ type: "error", message, code },
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
  });
  return { kind: "end", end: endOfModelError(error.kind) };
}

function interruptedEnd(signal: AbortSignal): Pick<TaskEnd, "reason" | "exitCode"> {
  const { reason, exitCode } = interruptionOf(signal);
  return { reason, exitCode };
}

function end(
  reason: Exclude<EndReason, "model_error" | "interrupted">,
  text: string,
  turns: number,
): TaskEnd {
  return { reason, exitCode: exitCodeOf(reason), text, turns };
}
