import { ContextKeeper } from "../compaction/keeper.ts";
import type { EventSink } from "../events.ts";
import { costOf } from "../model/provider.ts";
import type { Session } from "../session/log.ts";
import type { AgentParts } from "./agent_parts.ts";

/** Keeps what is sent within the window of the session's model. */
export function keeperFor(
  parts: AgentParts,
  append: Session["append"],
  emit: EventSink,
): ContextKeeper {
  const { provider, compactAt } = parts.launch.settings;
  const { contextWindow: tokens, maxOutputTokens } = provider;
  return new ContextKeeper({
    model: parts.model,
    conversation: parts.session.conversation,
    append,
    emit,
    objection: (...asked) => parts.hooks?.tasks.compacts(...asked) ?? Promise.resolve(undefined),
    runningJobs: () => parts.backing.jobs.list().filter(({ end }) => end === undefined),
    runningChildren: () => parts.children?.unfinished ?? [],
    costOf: (usage) => costOf(usage, provider.prices),
    ...(parts.observe && { observe: parts.observe }),
    window: {
      ...(tokens !== undefined && { tokens }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      compactAt,
    },
  });
}
