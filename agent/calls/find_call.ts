import type { Tool } from "../../tools/tool.ts";
import type { ToolCall } from "../messages.ts";
import { resolveTool } from "../toolbox.ts";
import { readArguments } from "./arguments.ts";

/** The tool that a call means with its arguments read, or why there is none to run. */
export type FoundCall =
  | { readonly ok: true; readonly tool: Tool; readonly args: unknown }
  | { readonly ok: false; readonly problem: string };

/** Finds the tool of a call and reads its arguments; `cut` as in `executeCalls`. */
export function findCall(
  call: ToolCall,
  cut: boolean,
  tools: readonly Tool[],
): FoundCall {
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
