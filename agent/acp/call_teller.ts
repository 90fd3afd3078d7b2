import { todoWrite } from "../../tools/todo_write.ts";
import type { ApprovalEvent, ToolCallEvent, ToolResultEvent } from "../events.ts";
import { verbatim } from "./call_content.ts";
import { CallOutput } from "./call_output.ts";
import {
  begunCall,
  type CallChange,
  type CallNames,
  endedCall,
  endedInTerminal,
} from "./call_updates.ts";
import { planOf } from "./plan.ts";
import type { SessionVoice } from "./session_voice.ts";

/** Events of calls. */
export type CallEvent =
  | ToolCallEvent
  | { readonly type: "tool_progress"; readonly call_id: string; readonly text: string }
  | ApprovalEvent
  | ToolResultEvent;

/** A call that the editor was told of, and that has not ended. */
interface OpenCall {
  /** As the editor knows it. */
  readonly id: string;
  readonly output: CallOutput;
  /** The terminal in which its output is drawn; absent: there is none. */
  readonly terminal?: string;
}

/** Tells an editor of calls: what each is, how it goes on, and what came of it. */
export class CallTeller {
  readonly #voice: SessionVoice;
  readonly #names: CallNames;
  readonly #open = new Map<string, OpenCall>();
  /** Ids that the editor has seen: some models count anew with each answer. */
  readonly #seen = new Set<string>();

  constructor(voice: SessionVoice, names: CallNames) {
    this.#voice = voice;
    this.#names = names;
  }

  take(event: CallEvent): void {
    switch (event.type) {
      case "tool_call":
        return this.#began(event);
      case "tool_progress":
        return this.#open.get(event.call_id)?.output.take(event.text);
      case "approval":
        return this.#decided(event);
      case "tool_result":
        return this.#ended(event);
    }
  }

  /** How the editor knows a call that runs; undefined for none of ours. */
  idOf(callId: string): string | undefined {
    return this.#open.get(callId)?.id;
  }

  /** An id that the editor has not seen yet. */
  newId(wish: string): string {
    let id = wish;
    for (let n = 2; this.#seen.has(id); n++) id = `${wish}-${n}`;
    this.#seen.add(id);
    return id;
  }

  #began({ call_id, name, arguments: args }: ToolCallEvent): void {
    const id = this.newId(call_id);
    const hasTerminal = name === "bash" && this.#voice.editor.offers.terminalOutput;
    const terminal = hasTerminal ? id : undefined;
    const output = new CallOutput((part, tail) =>
      terminal === undefined
        ? this.#change(id, { content: [verbatim(tail)] })
        : this.#change(id, { _meta: { terminal_output: { terminal_id: terminal, data: part } } })
    );
    const known = terminal === undefined ? {} : { terminal };
    this.#open.set(call_id, { id, output, ...known });
    const call = begunCall(id, name, args, this.#names, terminal);
    void this.#voice.tell({ sessionUpdate: "tool_call", ...call });
  }

  /** What was asked about showed the reason, and goes on with its own content. */
  #decided({ call_id, decision, arguments: args }: ApprovalEvent): void {
    const call = this.#open.get(call_id);
    if (!call || decision !== "allow") return;
    const { id, terminal: terminalId } = call;
    const edited = args === undefined ? {} : { rawInput: args };
    const content = terminalId === undefined ? [] : [{ type: "terminal" as const, terminalId }];
    void this.#change(id, { status: "in_progress", content, ...edited });
  }

  #ended(event: ToolResultEvent): void {
    const call = this.#open.get(event.call_id);
    if (!call) return;
    this.#open.delete(event.call_id);
    void call.output.end();
    const { terminal } = call;
    void this.#change(
      call.id,
      terminal === undefined
        ? endedCall(event, this.#names)
        : endedInTerminal(event, terminal, call.output.any),
    );
    const plan = event.name === todoWrite.name ? planOf(event) : undefined;
    if (plan) void this.#voice.tell(plan);
  }

  #change(toolCallId: string, change: CallChange): Promise<void> {
    return this.#voice.tell({ sessionUpdate: "tool_call_update", toolCallId, ...change });
  }
}
