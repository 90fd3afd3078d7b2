import {
  type Calls,
  type Content,
  type Plan,
  text as textContent,
  type Tool,
} from "../tools/tool.ts";
import type { SweptRun } from "../sandbox/sweep/sweeper.ts";
import { readArguments } from "./arguments.ts";
import { toolContext } from "./capabilities.ts";
import { keptArguments, keptText } from "./discretion.ts";
import type { EditChecks } from "./edit_checks/edit_checks.ts";
import { isReadOnly } from "./gate/gate.ts";
import type { CallHooks } from "./hooks/call_hooks.ts";
import { innerCalls } from "./inner_calls.ts";
import { MAX_SAME_FAILURES, RepetitionWatch } from "./limits.ts";
import type { ToolCall } from "./messages.ts";
import { planCall, type PlanParts } from "./plan_call.ts";
import {
  type CallOutcome,
  INTERRUPTED,
  toolCallRecord,
  toolResultRecord,
} from "./session/convert.ts";
import { resolveTool } from "./toolbox.ts";

/** What the executor works with, the same for every call of a run. */
export interface ExecutorParts extends PlanParts {
  /** The tools that are offered. */
  readonly tools: readonly Tool[];
  readonly watch: RepetitionWatch;
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

/** A longer diff does not travel with the events, in characters. */
const MAX_DIFF_CHARS = 256 * 1024;

/** How one call ended, for the loop. */
export interface ExecutedCall {
  readonly call: ToolCall;
  readonly outcome: CallOutcome;
  /** It needed a yes, and nobody could be asked. */
  readonly approvalUnavailable: boolean;
  /** It failed in the same way once too often. */
  readonly repeated: boolean;
}

/**
 * Runs the calls of one answer and gives each exactly one result. Calls that change nothing run
 * side by side, all others alone and in order. `cut`: the answer was cut off by the token limit,
 * so that none of its calls is run.
 */
export async function executeCalls(
  calls: readonly ToolCall[],
  cut: boolean,
  parts: ExecutorParts,
  signal: AbortSignal,
): Promise<ExecutedCall[]> {
  const executed: Promise<ExecutedCall>[] = [];
  for (const call of calls) {
    const prepared = await prepare(call, cut, parts, signal);
    const alone = prepared.kind === "ready" && !prepared.readOnly;
    if (alone) await Promise.allSettled(executed);
    const running = prepared.kind === "answered"
      ? answer(call, call.name, prepared.outcome, parts, prepared.approvalUnavailable)
      : act(call, prepared, parts, signal);
    executed.push(running);
    if (alone) await Promise.allSettled([running]);
  }
  return await Promise.all(executed);
}

/** A call that may run, with all that it needs. */
interface Ready {
  readonly kind: "ready";
  readonly tool: Tool;
  readonly args: unknown;
  readonly plan: Plan;
  /** Who changed the arguments, so that they are not the model's. */
  readonly changedBy: "the person" | "a hook" | undefined;
  readonly readOnly: boolean;
  /** What hooks say to the model, with the result. */
  readonly notes: readonly Content[];
}

/** A call that has its answer without being run. */
interface Answered {
  readonly kind: "answered";
  readonly outcome: CallOutcome;
  readonly approvalUnavailable: boolean;
}

/** Finds the tool, reads the arguments, logs the call, plans it and puts it to the gate. */
async function prepare(
  call: ToolCall,
  cut: boolean,
  parts: ExecutorParts,
  signal: AbortSignal,
): Promise<Ready | Answered> {
  const found = findCall(call, cut, parts.tools);
  parts.emit({
    type: "tool_call",
    call_id: call.callId,
    name: found.ok ? found.tool.name : call.name,
    arguments: found.ok
      ? keptArguments(found.tool, found.args)
      : keptText(resolveTool(call.name, parts.tools), call.arguments),
  });
  if (signal.aborted) return answered(interrupted(call));
  if (!found.ok) return answered(failed(call, found.problem));
  const { tool } = found;
  await parts.append(toolCallRecord(call.callId, tool.name, found.args));
  const why = parts.refusal?.(tool.name);
  if (why !== undefined) return answered(failed(call, why));
  const hooked = await parts.hooks?.before({ call, tool, args: found.args }, signal) ??
    { kind: "goes_on", args: found.args, changed: false, notes: [] };
  if (signal.aborted) return answered(interrupted(call));
  if (hooked.kind === "refused") return answered(failed(call, hooked.text));
  const { args } = hooked;
  const marker = tool.needs.write && parts.markerIn?.(written(args));
  if (marker) {
    const why = "it stands for a value that you are not shown, and would replace it";
    return answered(failed(call, `Cannot write ${marker}: ${why}. Edit around it`));
  }
  try {
    if (tool.needs.read || tool.needs.run) await parts.ready?.();
    const passage = await planCall({ call, tool, args, hooked }, parts, signal);
    if (signal.aborted) return answered(interrupted(call));
    if (passage.kind === "refused") {
      const { text, approvalUnavailable } = passage;
      return { kind: "answered", outcome: failed(call, text), approvalUnavailable };
    }
    const { plan, edited } = passage;
    const readOnly = await isReadOnly(plan, parts.policy.judge);
    const changedBy = edited ? "the person" : hooked.changed ? "a hook" : undefined;
    const { notes } = hooked;
    return { kind: "ready", tool, args: passage.args, plan, changedBy, readOnly, notes };
  } catch (error) {
    return answered(unexpected(call, error, parts, signal));
  }
}

/** Arguments without the text that is only looked for. */
function written(args: unknown): unknown {
  if (typeof args !== "object" || args === null) return args;
  return Object.entries(args).filter(([name]) => name !== "old_string");
}

function findCall(
  call: ToolCall,
  cut: boolean,
  tools: readonly Tool[],
): { ok: true; tool: Tool; args: unknown } | { ok: false; problem: string } {
  if (cut) {
    const advice = "Send it again, in smaller parts";
    return {
      ok: false,
      problem: `The answer was cut off by the token limit, so this call was not run. ${advice}`,
    };
  }
  if (call.problem !== undefined) return { ok: false, problem: call.problem };
  const tool = resolveTool(call.name, tools);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(", ");
    return { ok: false, problem: `There is no tool "${call.name}"; the tools are: ${names}` };
  }
  const args = readArguments(call.arguments, tool.parameters);
  if (args.ok) return { ok: true, tool, args: args.value };
  return { ok: false, problem: `Cannot run ${tool.name}: ${args.problem}` };
}

/** Runs a call that passed the gate, with the calls that it makes itself. */
async function act(
  call: ToolCall,
  ready: Ready,
  parts: ExecutorParts,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  let unavailable = false;
  const calls = innerCalls(call.callId, parts.tools, async (inner) => {
    const { outcome, approvalUnavailable } = await runInner(inner, parts, signal);
    unavailable ||= approvalUnavailable;
    return outcome;
  });
  const ran = await outcomeOf(call, ready, calls, parts, signal);
  const outcome = await afterHooks(call, ready, ran, parts, signal);
  return await answer(call, ready.tool.name, outcome, parts, unavailable, landed(ready, outcome));
}

/** A result with what hooks say to the model, before the call and after it. */
async function afterHooks(
  call: ToolCall,
  { tool, args, notes }: Ready,
  ran: CallOutcome,
  { hooks }: ExecutorParts,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const more = signal.aborted ? [] : await hooks?.after({ call, tool, args }, ran, signal) ?? [];
  return { ...ran, content: [...ran.content, ...notes, ...more] };
}

/**
 * A call that a tool makes: it goes the way of every call, and only its answer goes elsewhere. A
 * program may fail at a hundred files in a row, so its failures do not count as the model's.
 */
async function runInner(
  call: ToolCall,
  outer: ExecutorParts,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  const parts = { ...outer, watch: new RepetitionWatch() };
  const prepared = await prepare(call, false, parts, signal);
  return prepared.kind === "answered"
    ? await answer(call, call.name, prepared.outcome, parts, prepared.approvalUnavailable)
    : await act(call, prepared, parts, signal);
}

/** Runs a tool; the one place where its exceptions are caught. */
async function outcomeOf(
  call: ToolCall,
  { tool, args, plan, changedBy, readOnly }: Ready,
  calls: Calls,
  parts: ExecutorParts,
  signal: AbortSignal,
): Promise<CallOutcome> {
  try {
    if (!readOnly) await parts.beforeChange?.(call.callId, signal);
    const context = toolContext(tool.needs, { ...parts.capabilities, calls }, {
      callId: call.callId,
      signal,
      progress: (part) => parts.emit({ type: "tool_progress", call_id: call.callId, text: part }),
    });
    const run = async () => await tool.run(args, context, plan);
    const checked = () => (parts.edits ?? NO_CHECKS).around(plan, signal, run);
    const { result: { result: value, notes: told }, lines } = await (parts.swept ?? unswept)(
      checked,
    );
    const notes = [...told, ...lines.map((line) => `[${line}]`)].map((note) => textContent(note));
    const changed = changedBy ? [changedNote(changedBy, keptArguments(tool, args))] : [];
    const content = [...tool.render(value), ...changed, ...notes];
    return { callId: call.callId, isError: false, value, content };
  } catch (error) {
    return unexpected(call, error, parts, signal);
  }
}

/** The model knows its own arguments alone, and must not take the result for theirs. */
function changedNote(who: string, args: unknown): Content {
  return textContent(`[${who} changed the call before it ran: ${JSON.stringify(args)}]`);
}

const NO_CHECKS: Pick<EditChecks, "around"> = {
  around: async (_plan, _signal, run) => ({ result: await run(), notes: [] }),
};

async function unswept<T>(run: () => Promise<T>): Promise<SweptRun<T>> {
  return { result: await run(), lines: [] };
}

async function answer(
  call: ToolCall,
  name: string,
  outcome: CallOutcome,
  parts: ExecutorParts,
  approvalUnavailable: boolean,
  diff?: string,
): Promise<ExecutedCall> {
  const repetition = parts.watch.note(call, outcome);
  const told = repetition === "warn" ? withWarning(outcome) : outcome;
  const record = toolResultRecord(told);
  await parts.append(record);
  parts.emit({
    type: "tool_result",
    call_id: call.callId,
    name,
    is_error: outcome.isError,
    text: record.text,
    value: outcome.value ?? null,
    ...(diff && { diff }),
  });
  return { call, outcome: told, approvalUnavailable, repeated: repetition === "end" };
}

/** What an edit was to change, once it has; undefined for what was no edit, or said no. */
function landed({ plan }: Ready, { isError, value }: CallOutcome): string | undefined {
  if (isError || typeof value !== "object" || value === null) return undefined;
  if (!("ok" in value) || value.ok !== true) return undefined;
  const { preview } = plan;
  return preview !== undefined && preview.length <= MAX_DIFF_CHARS ? preview : undefined;
}

function withWarning(outcome: CallOutcome): CallOutcome {
  const warning = `[the same call failed in the same way ${MAX_SAME_FAILURES} times: ` +
    "do something else, the next one ends the run]";
  return { ...outcome, content: [...outcome.content, textContent(warning)] };
}

function answered(outcome: CallOutcome): Answered {
  return { kind: "answered", outcome, approvalUnavailable: false };
}

function interrupted(call: ToolCall): CallOutcome {
  return { callId: call.callId, isError: false, content: [textContent(INTERRUPTED)] };
}

function failed(call: ToolCall, problem: string): CallOutcome {
  const content: Content[] = [textContent(`Error: ${problem}`)];
  return { callId: call.callId, isError: true, content };
}

function unexpected(
  call: ToolCall,
  error: unknown,
  parts: ExecutorParts,
  signal: AbortSignal,
): CallOutcome {
  if (signal.aborted) return interrupted(call);
  parts.logError(error);
  return failed(call, error instanceof Error ? error.message : String(error));
}
