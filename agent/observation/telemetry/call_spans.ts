import { type Span, SpanKind } from "@opentelemetry/api";
import { clipped } from "../../clipped.ts";
import type { ApprovalEvent, ToolCallEvent, ToolResultEvent } from "../../events.ts";
import { FOREIGN_PREFIX } from "../../mcp/names.ts";
import type { CallCleared } from "../observation.ts";
import { ATTR } from "./attributes.ts";
import type { RunAttributes } from "./run_attributes.ts";
import { contentOf, exitCodeIn } from "./span_attributes.ts";
import { MAX_MESSAGE_CHARS, type SpanTree, TASK } from "./span_tree.ts";

/** Spans of tool calls: from the moment a call is read until its result is known. */
export class CallSpans {
  readonly #run: RunAttributes;
  readonly #spans: SpanTree;
  /** What the gate decided of calls that are open. */
  readonly #verdicts = new Map<string, ApprovalEvent["decision"]>();

  constructor(run: RunAttributes, spans: SpanTree) {
    this.#run = run;
    this.#spans = spans;
  }

  /** The span of the call that began last, of those that are open. */
  get last(): Span | undefined {
    return this.#spans.findLast(callKey(""));
  }

  find(callId: string): Span | undefined {
    return this.#spans.find(callKey(callId));
  }

  begin({ call_id, name, arguments: args }: ToolCallEvent): void {
    this.#spans.begin(callKey(call_id), {
      name: `execute_tool ${name}`,
      kind: SpanKind.INTERNAL,
      // A call that another one makes has an id below that one's.
      parent: this.#spans.find(callKey(call_id.replace(/\/\d+$/, ""))) ?? this.#spans.find(TASK),
      attributes: {
        [ATTR.operation]: "execute_tool",
        ...this.#run.conversation(),
        [ATTR.toolName]: name,
        [ATTR.toolType]: "function",
        [ATTR.toolCallId]: call_id,
        ...(name.startsWith(FOREIGN_PREFIX) && { [ATTR.mcpMethod]: "tools/call" }),
        ...(this.#run.facts.content && { [ATTR.toolArguments]: contentOf(args) }),
      },
    });
  }

  tellVerdict({ call_id, decision, reason }: ApprovalEvent): void {
    const span = this.#spans.find(callKey(call_id));
    // What a sub-agent asks for is in its own trace.
    if (!span) return;
    this.#verdicts.set(call_id, decision);
    span.setAttributes({
      [ATTR.gateVerdict]: decision,
      [ATTR.gateReason]: clipped(reason, MAX_MESSAGE_CHARS),
    });
  }

  clear({ call_id, read_only }: CallCleared): void {
    const span = this.#spans.find(callKey(call_id));
    span?.setAttribute(ATTR.readOnly, read_only);
    if (!this.#verdicts.has(call_id)) span?.setAttribute(ATTR.gateVerdict, "unasked");
    // What came before was the question, and the calls that went first.
    span?.addEvent("cordon.call.cleared");
  }

  end({ call_id, is_error, text, value }: ToolResultEvent): void {
    const code = exitCodeIn(value);
    const verdict = this.#verdicts.get(call_id);
    this.#verdicts.delete(call_id);
    this.#spans.end(callKey(call_id), {
      ...(code !== undefined && { [ATTR.exitCode]: code }),
      ...(this.#run.facts.content && { [ATTR.toolResult]: contentOf(text) }),
    }, is_error ? { type: failureType(verdict) } : undefined);
  }
}

function failureType(verdict: ApprovalEvent["decision"] | undefined): string {
  switch (verdict) {
    case "deny":
      return "denied";
    case "unavailable":
      return "approval_unavailable";
    case "allow":
    case undefined:
      return "tool_error";
  }
}

function callKey(id: string): string {
  return `call ${id}`;
}
