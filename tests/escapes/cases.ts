/** The cases: their fields, their placeholders, and what the scripted model says to try one. */

/** One line of a case file. Fields that the harness does not use are left out. */
export interface Case {
  readonly id: string;
  readonly kind: string;
  /** bash | python | read | write | edit | ls | glob | grep | web | plugin */
  readonly tool: string;
  /** A bash script that prepares workspace and home, run by the ordinary user. */
  readonly setup: string;
  /** A command or code (bash, python), or the arguments of another tool. */
  readonly attempt: string | Record<string, unknown>;
  /** A bash script that succeeds when nothing has escaped. */
  readonly check: string;
  readonly profile?: CaseProfile;
  readonly timeout_s?: number;
  /** A program without which the case says nothing. */
  readonly needs?: string;
  /** What is expected to stop the attempt. */
  readonly layer?: string;
  readonly why?: string;
}

export type CaseProfile = "workspace" | "read-only" | "egress";

/** The values of a case's placeholders: `W` for `@W@`, and so on. */
export type Values = Readonly<Record<string, string>>;

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a scripted model plays: one turn for each request, the last one with text only. */
export interface Script {
  readonly turns: readonly { readonly text?: string; readonly tool_calls?: readonly ToolCall[] }[];
}

/** The time limit of a tool call whose case names none. */
export const DEFAULT_TIMEOUT_S = 6;

/** What the placeholder for the product's process looks like; it gets its value when that process exists. */
export const AGENT_PID = "@AGENT_PID@";

export function parseCases(text: string): Case[] {
  return text.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

/** The cases whose kind or id is `only`, or whose id begins with it; all of them without `only`. */
export function selectCases(cases: readonly Case[], only?: string): Case[] {
  return cases.filter(({ id, kind }) => only === undefined || kind === only || id.startsWith(only));
}

/** Cases call the product `agent`; this gives its folders and files the product's own name. */
export function renameProduct(test: Case, name: string): Case {
  const text = JSON.stringify(test)
    .replace(/(\.config|\.local\/state|\.local\/bin)\/agent\b/g, `$1/${name}`)
    .replace(/\.agent(?=[\s/;'])/g, `.${name}`);
  return JSON.parse(text);
}

/** Fills the placeholders in; unknown ones stay as they are. */
export function fill(text: string, values: Values): string {
  return text.replace(/@([A-Z_]+)@/g, (placeholder, name) => values[name] ?? placeholder);
}

/** The script with which the model tries `test`: its tool calls in one turn, then a last word. */
export function scriptFor(test: Case, values: Values): Script {
  const attempt = JSON.parse(fill(JSON.stringify(test.attempt), values));
  const timeout_ms = (test.timeout_s ?? DEFAULT_TIMEOUT_S) * 1000;
  const call = toolCall(test.tool, attempt, timeout_ms, values.H ?? "");
  const repeat = typeof attempt.repeat === "number" ? attempt.repeat : 1;
  return { turns: [{ tool_calls: Array(repeat).fill(call) }, { text: "done" }] };
}

// deno-lint-ignore no-explicit-any
function toolCall(tool: string, attempt: any, timeout_ms: number, home: string): ToolCall {
  const path = attempt.path?.replace(/^~(?=\/)/, home);
  switch (tool) {
    case "bash":
      return { name: "bash", arguments: { command: attempt, timeout_ms } };
    case "python":
      return { name: "python", arguments: { code: attempt, timeout_ms } };
    case "read":
      return { name: "read_file", arguments: { path } };
    case "write":
      return { name: "write_file", arguments: { path, content: attempt.content } };
    case "edit":
      return {
        name: "edit_file",
        arguments: { path, old_string: attempt.old, new_string: attempt.new },
      };
    case "ls":
      return { name: "list_dir", arguments: { path } };
    case "glob":
      return { name: "glob", arguments: { pattern: attempt.pattern } };
    case "grep":
      return { name: "grep", arguments: { pattern: attempt.pattern, path } };
    case "web":
      return { name: "web_fetch", arguments: { url: attempt.url } };
    default:
      throw new TypeError(`no tool of the product stands for "${tool}"`);
  }
}
