import type { SweptRun } from "../../sandbox/sweep/sweeper.ts";
import { type Calls, type Content, text as textContent } from "../../tools/tool.ts";
import { toolContext } from "../capabilities.ts";
import { keptArguments } from "../discretion.ts";
import type { EditChecks } from "../edit_checks/edit_checks.ts";
import type { ToolCall } from "../messages.ts";
import type { CallOutcome } from "../session/convert.ts";
import type { ExecutorParts } from "./executor_parts.ts";
import { unexpected } from "./failed_outcome.ts";
import type { ReadyCall } from "./prepare_call.ts";

/** Runs a tool; the one place where its exceptions are caught. */
export async function runTool(
  call: ToolCall,
  { tool, args, plan, changedBy, readOnly }: ReadyCall,
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
