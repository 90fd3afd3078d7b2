import type {
  PermissionOption,
  PermissionOptionKind,
  ToolCallContent,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { type Approver, type Decision, type Question, SILENCE } from "../gate/approver.ts";
import { parseJson } from "../model/json.ts";
import { type Choice, choicesOf, replyToLine } from "../terminal/approval/reply.ts";
import { locationsOf, titleOf } from "./call_content.ts";
import { kindOf } from "./call_kind.ts";
import type { CallTeller } from "./call_teller.ts";
import type { CallNames } from "./call_updates.ts";
import { shownDiff } from "./diff_content.ts";
import type { SessionVoice } from "./session_voice.ts";

/** What a person is asked through. */
export interface PermissionParts {
  readonly voice: SessionVoice;
  readonly calls: CallTeller;
  readonly names: CallNames;
}

/** Nobody answered, and nobody said no. */
const UNANSWERED: Decision = { decision: "unavailable", by: "policy" };

/** Puts questions to the person behind an editor. */
export function editorApprover(parts: PermissionParts): Approver {
  return async (question, signal) => {
    const { id: sessionId } = parts.voice;
    if (sessionId === undefined) return UNANSWERED;
    const { toolCallId, settle } = await subject(question, parts);
    const decision = await ask(sessionId, toolCallId, question, parts, signal);
    settle(decision.decision === "allow");
    return decision;
  };
}

/** The call that is asked about; one that the editor has not seen is told of first, and ends with the answer. */
async function subject(
  question: Question,
  { voice, calls }: PermissionParts,
): Promise<{ readonly toolCallId: string; settle(allowed: boolean): void }> {
  const known = question.by === undefined ? calls.idOf(question.callId) : undefined;
  if (known !== undefined) return { toolCallId: known, settle() {} };
  const toolCallId = voice.newId("question");
  const title = titleFor(question);
  await voice.tell({ sessionUpdate: "tool_call", toolCallId, title, status: "pending" });
  return {
    toolCallId,
    settle(allowed) {
      const status = allowed ? "completed" : "failed";
      void voice.tell({ sessionUpdate: "tool_call_update", toolCallId, status });
    },
  };
}

async function ask(
  sessionId: string,
  toolCallId: string,
  question: Question,
  { voice, names }: PermissionParts,
  signal: AbortSignal,
): Promise<Decision> {
  const toolCall = askedCall(toolCallId, question, names);
  const options = choicesOf(question).flatMap(optionFor);
  try {
    const asked = { sessionId, toolCall, options };
    const { outcome } = await voice.editor.ask("session/request_permission", asked, signal);
    if (outcome.outcome === "cancelled") return SILENCE;
    const chosen = options.some(({ optionId }) => optionId === outcome.optionId);
    // What was not offered is no answer, and so no yes.
    const reply = chosen ? replyToLine(outcome.optionId, question) : undefined;
    return reply?.kind === "decision" ? reply.decision : SILENCE;
  } catch {
    // Withdrawn; or the editor has left, or will not ask: whatever the reason, there is no yes.
    return signal.aborted ? SILENCE : UNANSWERED;
  }
}

/** The call with all that the person has to know. */
function askedCall(toolCallId: string, question: Question, names: CallNames): ToolCallUpdate {
  const { tool, preview } = question;
  const args = parseJson(question.arguments) ?? question.arguments;
  const named = (path: string) => names.path(path);
  const shown = preview === undefined ? undefined : shownDiff(preview, named);
  const content: ToolCallContent[] = [
    { type: "content", content: { type: "text", text: reasonFor(question) } },
    ...(shown?.content ?? []),
  ];
  const locations = shown ? [...shown.locations] : locationsOf(tool, args, named);
  return {
    toolCallId,
    title: titleFor(question),
    kind: kindOf(tool),
    status: "pending",
    rawInput: args,
    ...{ content, locations },
  };
}

function titleFor({ tool, arguments: args, ask: asked }: Question): string {
  return asked ?? titleOf(tool, parseJson(args) ?? args);
}

function reasonFor({ by, reason }: Question): string {
  return by === undefined ? `Asked since ${reason}` : `Asked by ${by} since ${reason}`;
}

const OPTION_KINDS: Readonly<Record<string, PermissionOptionKind>> = {
  yes: "allow_once",
  session: "allow_always",
  prefix: "allow_always",
  no: "reject_once",
  never: "reject_always",
};

/** An answer as an option of the protocol; one that the protocol has no way for is none. */
function optionFor({ word, meaning }: Choice): PermissionOption[] {
  const kind = OPTION_KINDS[word];
  const name = word === "no" ? "no" : meaning;
  return kind === undefined ? [] : [{ optionId: word, name, kind }];
}
