import type { AssistantMessage } from "../messages.ts";
import { assistantMessage, INTERRUPTED } from "../session/convert.ts";
import type { LogContents } from "../session/read_log.ts";
import {
  type ApprovalRecord,
  isKnown,
  type LogRecord,
  type SnapshotRecord,
  type ToolResultRecord,
  type UserRecord,
} from "../session/records.ts";

/** A session as something to be done again. */
export interface Recording {
  readonly id: string;
  /** Its workspace on the machine where it ran. */
  readonly cwd: string;
  /** The profiles under which it ran, in order; empty where its log does not say. */
  readonly profiles: readonly string[];
  /** Names the files before its first change in the snapshot store; undefined: it changed none. */
  readonly tree: string | undefined;
  readonly steps: readonly Step[];
  /** Every call that ran, by its id, those of tools included. */
  readonly calls: ReadonlyMap<string, RecordedCall>;
}

/** An answer of the model, and what the person did before it. */
export interface Step {
  readonly before: readonly Deed[];
  readonly answer: AssistantMessage;
}

/** What a person does in a session. */
export type Deed =
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "move"; readonly role: "undo" | "redo"; readonly steps: number };

/** A call, and what came of it then. */
export interface RecordedCall {
  readonly callId: string;
  /** The tool that ran, or that was called where none did. */
  readonly name: string;
  /** As parsed; as the model wrote them where the call did not come so far. */
  readonly arguments: unknown;
  /** The decisions about it, in order. */
  readonly approvals: readonly ApprovalRecord[];
  /** Absent where it was interrupted, or the log breaks off. */
  readonly result?: RecordedResult;
}

/** What a call came to. */
export interface RecordedResult {
  readonly isError: boolean;
  readonly text: string;
  /** Null where there is none. */
  readonly value: unknown;
}

const CUT_SHORT = "[the calls of this answer were cut short]";

/** Reads a log as a recording. What summaries stand for is in it; what it does not know is passed over. */
export function recordingOf({ header, records }: LogContents): Recording {
  const reader = new Reader();
  for (const record of records) reader.take(record);
  const { id, cwd } = header;
  return { id, cwd, ...reader.finish() };
}

/** A call while its records are read. */
interface Draft {
  callId: string;
  name: string;
  arguments: unknown;
  approvals: ApprovalRecord[];
  result?: RecordedResult;
}

class Reader {
  readonly #steps: Step[] = [];
  readonly #calls = new Map<string, Draft>();
  #deeds: Deed[] = [];
  readonly #profiles = new Set<string>();
  #tree: string | undefined;
  #moving = false;

  take(record: LogRecord): void {
    if (!isKnown(record)) return;
    switch (record.type) {
      case "user":
        this.#deeds.push(deedOf(record));
        return;
      case "assistant":
        return this.#answer(assistantMessage(record));
      case "tool_call":
        this.#draft(record.call_id, record.name).name = record.name;
        this.#draft(record.call_id, record.name).arguments = record.arguments;
        return;
      case "approval":
        this.#calls.get(record.call_id)?.approvals.push(record);
        return;
      case "tool_result":
        return this.#finishCall(record);
      case "snapshot":
        return this.#snapshot(record);
      case "settings":
        if (record.profile !== undefined) this.#profiles.add(record.profile);
        return;
      default:
        // Summaries, usage, connections and names change nothing that tools see.
        return;
    }
  }

  finish(): Pick<Recording, "profiles" | "tree" | "steps" | "calls"> {
    const steps = this.#steps.map(({ before, answer }) => ({
      before,
      answer: this.#withWholeCalls(answer),
    }));
    return { profiles: [...this.#profiles], tree: this.#tree, steps, calls: this.#calls };
  }

  /** A call that was cut short then might now run for good. */
  #withWholeCalls(answer: AssistantMessage): AssistantMessage {
    const toolCalls = answer.toolCalls.filter(({ callId }) => this.#calls.get(callId)?.result);
    if (toolCalls.length > 0 || answer.toolCalls.length === 0) return { ...answer, toolCalls };
    // An answer of nothing at all would be asked for again.
    return { ...answer, toolCalls, text: answer.text || CUT_SHORT, finish: "stop" };
  }

  #answer(answer: AssistantMessage): void {
    this.#steps.push({ before: this.#deeds, answer });
    this.#deeds = [];
    for (const { callId, name, arguments: args } of answer.toolCalls) {
      this.#calls.set(callId, { callId, name, arguments: args, approvals: [] });
    }
  }

  #draft(callId: string, name: string): Draft {
    const draft = this.#calls.get(callId) ?? { callId, name, arguments: null, approvals: [] };
    this.#calls.set(callId, draft);
    return draft;
  }

  #finishCall({ call_id, is_error: isError, text, value = null }: ToolResultRecord): void {
    const call = this.#calls.get(call_id);
    if (call && text !== INTERRUPTED) call.result = { isError, text, value };
  }

  #snapshot({ role, tree, steps = 1, state }: SnapshotRecord): void {
    if (role === "before") this.#tree ??= tree;
    if (role !== "undo" && role !== "redo") return;
    const ends = state === "done" && this.#moving;
    this.#moving = state === "begun";
    if (!ends) this.#deeds.push({ kind: "move", role, steps });
  }
}

function deedOf({ command, content }: UserRecord): Deed {
  if (command !== undefined) return { kind: "command", command };
  const text = content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
  return { kind: "said", text };
}
