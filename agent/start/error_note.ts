import { CommandError } from "../../sandbox/commands/commands.ts";
import { ToolError } from "../../tools/tool_error.ts";
import { StateError } from "../state_error.ts";

/**
 * What a person is told of an error: the stack of one that is ours; undefined for what the system or
 * a tool refused, which is told in words elsewhere.
 */
export function errorNote(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StateError) return `warning: ${error.message}`;
  if (error instanceof ToolError) return undefined;
  const ofSystem = error instanceof CommandError || "code" in error ||
    Object.values(Deno.errors).some((kind) => error instanceof kind);
  return ofSystem ? undefined : error.stack ?? error.message;
}
