import type { Tool } from "../tools/tool.ts";
import type { Session } from "./session/log.ts";
import type { NewRecord } from "./session/records.ts";
import { resolveTool } from "./toolbox.ts";

/** Arguments as log and events keep them; what is no object is kept as it is, or not at all. */
export function keptArguments(tool: Tool | undefined, args: unknown): unknown {
  if (!tool?.kept) return args;
  return isObject(args) ? tool.kept(args) : null;
}

/** The same of arguments as a model wrote them; where they are no JSON, nothing is kept of them. */
export function keptText(tool: Tool | undefined, text: string): string {
  if (!tool?.kept) return text;
  try {
    return JSON.stringify(keptArguments(tool, JSON.parse(text)) ?? {});
  } catch (error) {
    if (error instanceof SyntaxError) return "{}";
    throw error;
  }
}

/**
 * Appends to a log without what tools do not want to be kept of their calls: also the model reads
 * later only what is in the log.
 */
export function discreetAppend(
  append: Session["append"],
  tools: readonly Tool[],
): Session["append"] {
  if (tools.every(({ kept }) => kept === undefined)) return append;
  return (record) => append(discreet(record, tools));
}

function discreet(record: NewRecord, tools: readonly Tool[]): NewRecord {
  switch (record.type) {
    case "assistant":
      return {
        ...record,
        tool_calls: record.tool_calls.map((call) => ({
          ...call,
          arguments: keptText(resolveTool(call.name, tools), call.arguments),
        })),
      };
    case "tool_call": {
      const kept = keptArguments(resolveTool(record.name, tools), record.arguments);
      return { ...record, arguments: kept };
    }
    default:
      return record;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
