import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import { todoWrite } from "../../tools/todo_write.ts";
import { parseJson } from "../model/json.ts";
import type { LogContents } from "../session/read_log.ts";
import {
  type AssistantRecord,
  isKnown,
  isPrompt,
  type ToolResultRecord,
  type UserRecord,
} from "../session/records.ts";
import { begunCall, type CallNames, endedCall } from "./call_updates.ts";
import { planOf } from "./plan.ts";

/** What a session's past is told with. */
export interface HistoryParts {
  readonly names: CallNames;
  /** An id for a call that the editor has not seen yet. */
  readonly newId: (wish: string) => string;
  /** Bytes of an image; undefined where it is gone. */
  readonly load: (name: string) => Promise<Uint8Array | undefined>;
}

/** Calls that have no result yet: their tools, and how the editor knows them. */
type OpenCalls = Map<string, { readonly toolCallId: string; readonly tool: string }>;

/** All that was said and done in a session, as updates in their order. */
export async function* historyOf(
  { records }: LogContents,
  parts: HistoryParts,
): AsyncGenerator<SessionUpdate> {
  const open: OpenCalls = new Map();
  for (const record of records) {
    if (!isKnown(record)) continue;
    switch (record.type) {
      case "user":
        yield* isPrompt(record) ? said(record, parts) : ownCommand(record, parts);
        break;
      case "assistant":
        yield* answered(record, open, parts);
        break;
      case "tool_result":
        yield* ended(record, open, parts);
        break;
      default:
        // What no person said and no model did.
        break;
    }
  }
}

async function* said(
  { id, content }: UserRecord,
  { load }: HistoryParts,
): AsyncGenerator<SessionUpdate> {
  for (const part of content) {
    const block = part.type === "text"
      ? { type: "text" as const, text: part.text }
      : await imageBlock(part.blob, part.media_type, load);
    yield { sessionUpdate: "user_message_chunk", content: block, messageId: id };
  }
}

/** A command that the person ran in the model's shell. */
function* ownCommand(
  { command, content }: UserRecord,
  { names, newId }: HistoryParts,
): Generator<SessionUpdate> {
  const toolCallId = newId("command");
  const text = content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
  yield { sessionUpdate: "tool_call", ...begunCall(toolCallId, "bash", { command }, names) };
  const end = endedCall({ is_error: false, value: {}, text }, names);
  yield { sessionUpdate: "tool_call_update", toolCallId, ...end };
}

function* answered(
  record: AssistantRecord,
  open: OpenCalls,
  { names, newId }: HistoryParts,
): Generator<SessionUpdate> {
  const { reasoning, content, tool_calls, id } = record;
  const thought = reasoning?.text ?? "";
  if (thought !== "") yield chunk("agent_thought_chunk", thought, `${id}-thought`);
  if (content !== "") yield chunk("agent_message_chunk", content, id);
  for (const { call_id, name, arguments: text } of tool_calls) {
    const toolCallId = newId(call_id);
    open.set(call_id, { toolCallId, tool: name });
    const call = begunCall(toolCallId, name, parseJson(text) ?? text, names);
    yield { sessionUpdate: "tool_call", ...call };
  }
}

async function* ended(
  record: ToolResultRecord,
  open: OpenCalls,
  { names, load }: HistoryParts,
): AsyncGenerator<SessionUpdate> {
  const call = open.get(record.call_id);
  if (call === undefined) return;
  open.delete(record.call_id);
  const end = { ...record, value: record.value ?? null };
  const { content, ...change } = endedCall(end, names);
  const images = await Promise.all(
    record.blobs.map(({ name, media_type = "" }) =>
      media_type.startsWith("image/") ? imageBlock(name, media_type, load) : undefined
    ),
  );
  yield {
    sessionUpdate: "tool_call_update",
    toolCallId: call.toolCallId,
    ...change,
    content: [
      ...content ?? [],
      ...images.flatMap((image) => image ? [{ type: "content" as const, content: image }] : []),
    ],
  };
  const plan = call.tool === todoWrite.name ? planOf(end) : undefined;
  if (plan) yield plan;
}

function chunk(
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
  text: string,
  messageId: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: "text", text }, messageId };
}

async function imageBlock(
  name: string,
  mimeType: string,
  load: HistoryParts["load"],
): Promise<ContentBlock> {
  const bytes = await load(name);
  if (!bytes) return { type: "text", text: `[image ${name}: it is gone]` };
  return { type: "image", data: bytes.toBase64(), mimeType };
}
