import type { ToolCall, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { locationsOf, titleOf, verbatim } from "./call_content.ts";
import { kindOf } from "./call_kind.ts";
import { shownDiff } from "./diff_content.ts";

/** Where a call's files are. */
export interface CallNames {
  /** The absolute path by which the editor knows a file; a relative one is taken from the shell's folder. */
  path(path: string): string;
  /** Absolute. */
  cwd(): string;
}

/** What changes of a call. */
export type CallChange = Omit<ToolCallUpdate, "toolCallId">;

/** What came of a call, as event or record. */
export interface CallEnd {
  readonly is_error: boolean;
  readonly value: unknown;
  readonly text: string;
  readonly diff?: string;
}

/** Raw output of more than this is left out, in UTF-16 units of JSON: content shows it already. */
const MAX_RAW_CHARS = 32 * 1024;

/** A call as an editor first sees it; `terminal`: the id of the terminal that draws its output. Pure. */
export function begunCall(
  toolCallId: string,
  tool: string,
  args: unknown,
  names: CallNames,
  terminal?: string,
): ToolCall {
  return {
    toolCallId,
    title: titleOf(tool, args),
    name: tool,
    kind: kindOf(tool),
    status: "in_progress",
    rawInput: args,
    locations: locationsOf(tool, args, (path) => names.path(path)),
    ...(terminal !== undefined && {
      content: [{ type: "terminal", terminalId: terminal }],
      _meta: { terminal_info: { terminal_id: terminal, cwd: names.cwd() } },
    }),
  };
}

/** What came of a call: of an edit its diff, else the text that the model reads. Pure. */
export function endedCall(end: CallEnd, names: CallNames): CallChange {
  const shown = end.diff === undefined
    ? undefined
    : shownDiff(end.diff, (path) => names.path(path));
  const outcome = shown && shown.content.length > 0
    ? { content: [...shown.content], locations: [...shown.locations] }
    : { content: [verbatim(end.text)] };
  return { ...closing(end), ...outcome };
}

/** The same of a call whose output is in a terminal; where nothing was drawn there, its text is. Pure. */
export function endedInTerminal(end: CallEnd, terminal: string, drawn: boolean): CallChange {
  const { exit_code, signal } = factsIn(end.value);
  const code = typeof exit_code === "number" ? exit_code : end.is_error ? 1 : null;
  return {
    ...closing(end),
    _meta: {
      ...(!drawn && { terminal_output: { terminal_id: terminal, data: end.text } }),
      terminal_exit: {
        terminal_id: terminal,
        exit_code: code,
        signal: typeof signal === "string" ? signal : null,
      },
    },
  };
}

/** Without a value it did not come to its end, nor where the person stopped it. */
function closing({ is_error, value }: CallEnd): CallChange {
  const stopped = value === null || factsIn(value)["interrupted"] === true;
  const status = is_error || stopped ? "failed" : "completed";
  const raw = JSON.stringify(value) ?? "null";
  return { status, ...(value !== null && raw.length <= MAX_RAW_CHARS && { rawOutput: value }) };
}

/** Each tool has facts of its own, and logs have old ones: they are looked at one by one. */
function factsIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
