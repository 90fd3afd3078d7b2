import type { ToolCall } from "../../messages.ts";
import { isJson, parseJson } from "../json.ts";
import type { ToolSpec } from "../model.ts";
import { formOf } from "./forms.ts";
import { writeWord } from "./info.ts";
import { callsIn, parseAnswer } from "./parse.ts";

/**
 * Writes a call as the block that is read back as the same call: in the tool's own form where that
 * holds the arguments, else with one JSON object inside.
 */
export function writeCall(
  { name, arguments: raw }: Pick<ToolCall, "name" | "arguments">,
  tools: readonly ToolSpec[],
): string {
  const args = parseJson(raw);
  if (!isJson(args)) return fenced(name, raw);
  const tool = tools.find((tool) => tool.name === name);
  const inForm = tool && writeInForm(args, tool);
  if (tool && inForm !== undefined && isReadAs(inForm, { name, args }, tools)) return inForm;
  return fenced(name, JSON.stringify(args));
}

/** A block whose fences are longer than every run of backticks inside, at least three. */
function fenced(info: string, body: string): string {
  const runs = body.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
  const lines = body === "" || body.endsWith("\n") ? body : `${body}\n`;
  return `${fence}${info}\n${lines}${fence}\n`;
}

function writeInForm(args: Readonly<Record<string, unknown>>, tool: ToolSpec): string | undefined {
  const { words, body, reads } = formOf(tool);
  if (reads !== undefined && reads !== "paths") return undefined;
  const { [body ?? ""]: inside = "", ...rest } = args;
  const info = [tool.name];
  for (const [name, value] of Object.entries(rest)) {
    const text = writeWord(String(value));
    if (text === undefined) return undefined;
    info.push(words.includes(name) ? text : `${name}=${text}`);
  }
  return typeof inside === "string" ? fenced(info.join(" "), inside) : undefined;
}

function isReadAs(
  text: string,
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
  tools: readonly ToolSpec[],
): boolean {
  const [call, ...others] = callsIn(parseAnswer(text, tools));
  if (call?.name !== name || others.length > 0 || call.problem !== undefined) return false;
  const read = parseJson(call.arguments);
  return isJson(read) && sameText(read, args);
}

/** Whether two calls say the same; a number and its digits do, as the executor reads them. */
function sameText(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => {
    const value = other[name];
    const written = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    return typeof written === "string" && one[name] === written;
  });
}
