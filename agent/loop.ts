import type { Tool } from "../tools/tool.ts";
import type { EventSink, UsageTotals } from "./events.ts";
import { executeCalls, type ExecutorParts } from "./execute.ts";
import { type EndReason, EXIT, exitCodeOf } from "./exit_code.ts";
import { interruptionOf } from "./interruption.ts";
import type { AssistantMessage, Message, Usage } from "./messages.ts";
import { type Model, ModelError, type ModelErrorKind } from "./model/model.ts";
import { assistantRecord, usageRecord } from "./session/convert.ts";
import type { ConversationView } from "./session/conversation.ts";
import { shrink } from "./shrink.ts";

/** What the loop works with. */
export interface LoopParts {
  readonly model: Model;
  readonly conversation: ConversationView;
  readonly executor: ExecutorParts;
  /** The system prompt as of now: it shows the todo list. */
  readonly system: () => string;
  readonly limits: RunLimits;
  /** Tokens that the model's window holds, where it is known. */
  readonly contextWindow?: number;
  /** What tokens cost, in US dollars; undefined where a price is unknown. */
  readonly costOf: (usage: Usage) => number | undefined;
  readonly emit: EventSink;
  /** Called before each question to the model: what has happened meanwhile is told first. */
  readonly beforeTurn?: () => Promise<void>;
  /** Called when a call begins to show in an answer, before its arguments are there. */
  readonly onToolCall?: () => void;
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
}

/**
 * Asks the model, runs its tool calls, and repeats until it answers without calls or something
 * stops it. Model errors are ends, not exceptions; a log that cannot be written is thrown.
 */
export async function runTask(parts: LoopParts, signal: AbortSignal): Promise<TaskEnd> {
  const start = parts.conversation.usage;
  let text = "";
  let approvalUnavailable = false;
  for (let turn = 1;; turn++) {
    const stop = limitReached(parts, turn, start);
    if (stop) return end(stop, text, turn - 1);
    parts.emit({ type: "turn", n: turn });
    await parts.beforeTurn?.();
    const answer = await ask(parts, signal);
    if (answer.kind === "end") return { ...answer.end, text, turns: turn - 1 };
    const { message } = answer;
    text = message.text;
    await takeAnswer(message, parts);
    if (message.toolCalls.length === 0) {
      return answered(message, turn, approvalUnavailable, parts.emit);
    }
    const cut = message.finish === "length";
    const executed = await executeCalls(message.toolCalls, cut, parts.executor, signal);
    if (signal.aborted) return { ...interruptedEnd(signal), text, turns: turn };
    if (executed.some(({ repeated }) => repeated)) return end("repeated_failure", text, turn);
    approvalUnavailable ||= executed.some((call) => call.approvalUnavailable);
  }
}

/** Tokens and, where prices are known, cost. */
export function usageTotals(
  usage: Usage,
  costOf: (usage: Usage) => number | undefined,
): UsageTotals {
  const cost = costOf(usage);
  return { ...usageRecord(usage), ...(cost !== undefined && { cost_usd: cost }) };
}

function limitReached(
  parts: LoopParts,
  turn: number,
  start: Usage,
): "turn_limit" | "budget" | undefined {
  const { maxTurns, maxBudgetUsd } = parts.limits;
  if (maxTurns !== undefined && turn > maxTurns) return "turn_limit";
  if (maxBudgetUsd === undefined) return undefined;
  const spent = (parts.costOf(parts.conversation.usage) ?? 0) - (parts.costOf(start) ?? 0);
  return spent > maxBudgetUsd || (maxBudgetUsd === 0 && turn > 1) ? "budget" : undefined;
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
  const cause = cutShort(message);
  if (cause) {
    emit({ type: "error", message: cause, code: message.finish });
    return { reason: "model_error", exitCode: EXIT.failed, text: message.text, turns };
  }
  return end(approvalUnavailable ? "approval_unavailable" : "done", message.text, turns);
}

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

/** One answer; a conversation larger than the model's window is shrunk once and asked again. */
async function ask(parts: LoopParts, signal: AbortSignal): Promise<Answer> {
  const messages = messagesThatFit(parts);
  try {
    return { kind: "message", message: await askOnce(parts, messages, signal) };
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === "context_overflow")) {
      return asEnd(error, parts.emit, signal);
    }
    const smaller = shrink(messages);
    if (!smaller) return asEnd(error, parts.emit, signal);
    parts.emit({ type: "retry", attempt: 1, delay_ms: 0, reason: smaller.note });
    return await askOnce(parts, smaller.messages, signal)
      .then((message): Answer => ({ kind: "message", message }))
      .catch((again) => asEnd(again, parts.emit, signal));
  }
}

/** The share of a known window from which on old results are left out without asking in vain. */
const FULL_SHARE = 0.9;

function messagesThatFit({ conversation, contextWindow, emit }: LoopParts): readonly Message[] {
  const { messages } = conversation;
  const last = messages.findLast((message) => message.role === "assistant");
  const tokens = last ? last.usage.inputTokens + last.usage.outputTokens : 0;
  if (contextWindow === undefined || tokens < contextWindow * FULL_SHARE) return messages;
  const smaller = shrink(messages);
  if (smaller) emit({ type: "retry", attempt: 0, delay_ms: 0, reason: smaller.note });
  return smaller?.messages ?? messages;
}

async function askOnce(
  parts: LoopParts,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<AssistantMessage> {
  const request = {
    system: parts.system(),
    messages,
    tools: parts.executor.tools.map(toolSpec),
  };
  for await (const event of parts.model.ask(request, signal)) {
    switch (event.type) {
      case "text_delta":
        parts.emit({ type: "text_delta", text: event.text });
        break;
      case "retry":
        parts.emit({
          type: "retry",
          attempt: event.attempt,
          delay_ms: event.delayMs,
          reason: event.reason,
        });
        break;
      case "answer":
        return event.message;
      case "tool_call_start":
        parts.onToolCall?.();
        break;
      case "reasoning_delta":
        break;
    }
  }
  throw new ModelError("failed", "The model ended without an answer");
}

function toolSpec(tool: Tool) {
  return { name: tool.name, description: tool.description, parameters: tool.parameters.json };
}

function asEnd(error: unknown, emit: EventSink, signal: AbortSignal): Answer {
  if (signal.aborted) return { kind: "end", end: interruptedEnd(signal) };
  if (!(error instanceof ModelError)) throw error;
  emit({ type: "error", message: error.message, code: error.kind });
  return { kind: "end", end: endOfModelError(error.kind) };
}

/** The end that a model's error brings. */
export function endOfModelError(kind: ModelErrorKind): Pick<TaskEnd, "reason" | "exitCode"> {
  const reason = kind === "configuration" ? "config" : "model_error";
  return { reason, exitCode: exitCodeOfError(kind) };
}

function exitCodeOfError(kind: ModelErrorKind): number {
  switch (kind) {
    case "credentials":
      return EXIT.credentials;
    case "model_unavailable":
      return EXIT.modelUnavailable;
    case "try_later":
      return EXIT.tryLater;
    case "configuration":
      return EXIT.configuration;
    case "context_overflow":
    case "failed":
      return EXIT.failed;
  }
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
