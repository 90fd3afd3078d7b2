import { type Content, text, type Tool } from "../../tools/tool.ts";
import { readArguments } from "../calls/arguments.ts";
import type { ToolCall } from "../messages.ts";
import type { CallOutcome } from "../session/convert.ts";
import type { Hooks, HookVerdict } from "./hooks.ts";

/** A call whose arguments were read. */
export interface HookedCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly args: unknown;
}

/** What hooks say about a call before it is planned. */
export type CallVerdict =
  | { readonly kind: "refused"; readonly text: string }
  | {
    readonly kind: "goes_on";
    /** As hooks want them, read by the tool's schema. */
    readonly args: unknown;
    readonly changed: boolean;
    /** A person is to be asked, for this reason. */
    readonly ask?: string;
    /** A question that the gate would ask needs none. */
    readonly allow?: true;
    /** For the model, with the result. */
    readonly notes: readonly Content[];
  };

/** Hooks around the calls of tools. */
export interface CallHooks {
  before(call: HookedCall, signal: AbortSignal): Promise<CallVerdict>;
  /** What hooks say to the model about a result. */
  after(call: HookedCall, outcome: CallOutcome, signal: AbortSignal): Promise<readonly Content[]>;
}

/** Lets hooks see every call and its result. */
export function callHooks(hooks: Hooks): CallHooks {
  return {
    async before({ call, tool, args }, signal) {
      const verdict = await hooks.run({
        ...{ event: "PreToolUse", subject: tool.name, input: args, callId: call.callId },
      }, signal);
      return settle(verdict, tool, args);
    },
    async after({ call, tool, args }, { isError, value, content }, signal) {
      const told = content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
      const { refusal, context } = await hooks.run({
        ...{ event: "PostToolUse", subject: tool.name, input: args, callId: call.callId },
        facts: { tool_response: { is_error: isError, value: value ?? null, text: told } },
      }, signal);
      // What was done is done, and the model is told what is wrong with it.
      const wrong = refusal === undefined ? [] : [text(`[a hook objects: ${refusal}]`)];
      return [...notesOf(context), ...wrong];
    },
  };
}

/** Changed arguments are read as a model's are; a change that cannot be read is no leave to go on. */
function settle(verdict: HookVerdict, tool: Tool, given: unknown): CallVerdict {
  const { refusal, ask, allow, input, context } = verdict;
  if (refusal !== undefined) return refused(`A hook refused the call: ${refusal}`);
  const read = input === undefined
    ? { ok: true as const, value: given }
    : readArguments(JSON.stringify(input), tool.parameters);
  if (!read.ok) return refused(`A hook changed the call to what cannot be run: ${read.problem}`);
  return {
    kind: "goes_on",
    args: read.value,
    changed: input !== undefined,
    ...(ask !== undefined && { ask }),
    ...(allow && { allow }),
    notes: notesOf(context),
  };
}

function refused(why: string): CallVerdict {
  return { kind: "refused", text: why };
}

function notesOf(context: readonly string[]): Content[] {
  return context.map((added) => text(`[a hook adds]\n${added}`));
}
