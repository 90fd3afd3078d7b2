import type { EventSink } from "../events.ts";
import type { Message } from "../messages.ts";
import type { Model } from "../model/model.ts";
import type { ConversationView } from "../session/conversation.ts";
import { summaryMessage, usageRecord } from "../session/convert.ts";
import type { CompactionRecord, Unstamped } from "../session/records.ts";
import type { Session } from "../session/session.ts";
import { chooseCut } from "./cut.ts";
import { type RunningChild, type RunningJob, summaryText } from "./kept_facts.ts";
import type { RequestMeter } from "./request_meter.ts";
import type { Room } from "./room.ts";
import { summarise, type Summary } from "./summarise.ts";

/** What a compaction works with. */
export interface CompactionParts {
  readonly model: Model;
  readonly conversation: ConversationView;
  readonly append: Session["append"];
  readonly emit: EventSink;
  readonly runningJobs: () => readonly RunningJob[];
  /** Absent where none can be started. */
  readonly runningChildren?: () => readonly RunningChild[];
}

/** How one compaction is to be made. */
export interface CompactionPlan {
  readonly room: Room;
  readonly meter: RequestMeter;
  /** What the person wants of the summary. */
  readonly instructions?: string;
  /** To be kept in the log, where it was learnt from the server. */
  readonly window?: CompactionRecord["window"];
}

export type Compacted = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Has the model sum up the older part of the conversation, and logs the summary in its place. Where
 * that fails the conversation is what it was.
 * @throws {DOMException} "AbortError" where `signal` is raised.
 */
export async function compactConversation(
  parts: CompactionParts,
  plan: CompactionPlan,
  signal: AbortSignal,
): Promise<Compacted> {
  const { conversation } = parts;
  const older = olderPart(conversation, plan);
  if (!older) return { ok: false, reason: "there is nothing older than the last messages" };
  const { room, meter, instructions } = plan;
  const summary = await summarise(
    parts.model,
    {
      messages: older.messages,
      summary: older.summary,
      maxCharacters: meter.charactersFor(room.transcript),
      maxWords: room.summaryWords,
      ...(instructions !== undefined && { instructions }),
    },
    parts.emit,
    signal,
  );
  if (!summary.ok) return await fail(summary, parts, plan);
  const text = summaryText(summary.text, {
    conversation,
    cut: older.messages.length,
    jobs: parts.runningJobs(),
    children: parts.runningChildren?.() ?? [],
    maxCharacters: meter.charactersFor(room.facts),
  });
  const record = recordOf(older.replacesTo, text, summary, plan);
  if (
    meter.tokensOfMessages([summaryMessage({ summary: text })]) >=
      meter.tokensOfMessages(older.messages)
  ) {
    const reason = "the summary is no shorter than what it stands for";
    return await fail({ ...summary, ok: false, reason }, parts, plan);
  }
  await parts.append(record);
  return { ok: true };
}

/** What is to be summed up. */
interface OlderPart {
  readonly messages: readonly Message[];
  /** Id of the record of the last of them. */
  readonly replacesTo: string;
  /** Whether the first of them is an earlier summary. */
  readonly summary: boolean;
}

function olderPart(
  conversation: ConversationView,
  { room, meter }: CompactionPlan,
): OlderPart | undefined {
  const summary = conversation.lastCompaction?.id;
  const sourceOf = (index: number) => conversation.sourceOf(index);
  const cut = chooseCut({
    messages: conversation.messages,
    summary,
    sourceOf,
    tokensOf: (message) => meter.tokensOfMessages([message]),
  }, room);
  const replacesTo = cut === undefined ? undefined : sourceOf(cut - 1);
  if (replacesTo === undefined) return undefined;
  return {
    messages: conversation.messages.slice(0, cut),
    replacesTo,
    summary: summary !== undefined && sourceOf(0) === summary,
  };
}

/** What was spent on a summary that cannot be used counts, too. */
async function fail(
  { reason, usage }: Summary & { readonly ok: false },
  { append }: CompactionParts,
  plan: CompactionPlan,
): Promise<Compacted> {
  if (usage || plan.window) {
    await append({
      ...recordOf("", "", usage ? { usage } : {}, plan),
      failed: reason,
    });
  }
  return { ok: false, reason };
}

function recordOf(
  replacesTo: string,
  summary: string,
  { usage }: Pick<Summary, "usage">,
  { window }: CompactionPlan,
): Unstamped<CompactionRecord> {
  return {
    type: "compaction",
    replaces_to: replacesTo,
    summary,
    ...(usage && { usage: usageRecord(usage) }),
    ...(window && { window }),
  };
}
