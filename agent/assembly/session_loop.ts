import { skillTool } from "../../tools/skill.ts";
import type { Tool } from "../../tools/tool.ts";
import type { TaskOptions } from "../agent.ts";
import type { ExecutorParts } from "../calls/executor_parts.ts";
import type { ContextKeeper } from "../compaction/keeper.ts";
import { discreetAppend } from "../discretion.ts";
import type { EventSink, UsageTotals } from "../events.ts";
import { logEndedJobs } from "../job_ends.ts";
import type { LoopParts } from "../loop/loop.ts";
import type { Usage } from "../messages.ts";
import { costOf } from "../model/provider.ts";
import { systemPrompt } from "../prompt.ts";
import { redactedAppend } from "../redaction.ts";
import { userRecord } from "../session/convert.ts";
import type { Session } from "../session/log.ts";
import { type Said, Steering } from "../loop/steering.ts";
import { addTotals, usageTotals } from "../usage_totals.ts";
import type { AgentParts } from "./agent_parts.ts";
import { executorFor } from "./executor_for.ts";
import { keeperFor } from "./keeper_for.ts";
import { promptFacts } from "./prompt_facts.ts";
import { unloggedSettings } from "./session_settings.ts";

/** What the tasks of a session share. */
export interface SessionLoop {
  /** Logs a record without what must not be kept. */
  readonly append: Session["append"];
  readonly keeper: ContextKeeper;
  readonly steering: Steering;
  /** Takes what a person says into the conversation; false where a hook refuses it. */
  hear(said: Said, signal: AbortSignal): Promise<boolean>;
  /** What the session and its children used. */
  usage(): UsageTotals;
  /** What one task runs with. */
  forTask(options: TaskOptions): LoopParts;
}

/** Joins what the loop works with; nothing is asked yet. */
export function sessionLoop(parts: AgentParts): SessionLoop {
  const { session, children, redaction } = parts;
  const { settings } = parts.launch;
  const hooks = parts.hooks?.tasks;
  const price = (tokens: Usage) => costOf(tokens, settings.provider.prices);
  const emit: EventSink = (event) =>
    parts.emit(event.type === "usage" ? { type: "usage", ...usage() } : event);
  const append = discreetAppend(redactedAppend(session, redaction), parts.enclosure.offered);
  const keeper = keeperFor(parts, append, emit);
  const steering = new Steering();
  const executor = executorFor(parts, append, emit);
  function usage(): UsageTotals {
    const own = usageTotals(session.conversation.usage, price);
    return children ? addTotals(own, children.usage()) : own;
  }
  async function hear(said: Said, signal: AbortSignal): Promise<boolean> {
    const refusal = await hooks?.promptIsSaid(said, signal);
    if (refusal === undefined) {
      const records = [...unloggedSettings(parts), userRecord(said)];
      // At once: all of them become durable together.
      await Promise.all(records.map((record) => append(record)));
    } else emit({ type: "error", message: `A hook refused it: ${refusal}`, code: "hook" });
    return refusal === undefined;
  }
  return {
    ...{ append, keeper, steering, hear, usage },
    forTask: ({ limits = settings.limits, tools: only }) => {
      const isLeft = ({ name }: Tool) => !only || only.has(name);
      const left = withSkillTool(parts).filter(isLeft);
      const names = left.map(({ name }) => name);
      return {
        model: parts.model,
        conversation: session.conversation,
        system: () => redaction.redact(systemPrompt(promptFacts(parts, names))),
        limits,
        onToolCall: () => parts.backing.prepare(),
        async beforeTurn() {
          await logEndedJobs(parts.backing.jobs, append);
          await children?.tell(append);
        },
        ...(children && {
          childrenCost: () => children.usage().cost_usd ?? 0,
          childLacksApproval: () => children.approvalUnavailable,
        }),
        ...{ keeper, steering, hear, emit },
        mayEnd: (text, signal) => hooks?.mayEnd(text, signal) ?? Promise.resolve(true),
        costOf: price,
        executor: withForeign(executor, left, () => parts.foreign?.tools.filter(isLeft) ?? []),
      };
    },
  };
}

/** An executor for these tools and for those of servers, which come and go while a task runs. */
function withForeign(
  executor: ExecutorParts,
  tools: readonly Tool[],
  foreign: () => readonly Tool[],
): ExecutorParts {
  return {
    ...executor,
    get tools() {
      return [...tools, ...foreign()];
    },
  };
}

/** The offered tools; that for skills where there are some now, also if there were none at the start. */
function withSkillTool({ launch, enclosure, skills }: AgentParts): readonly Tool[] {
  const { name } = skillTool;
  const others = enclosure.offered.filter((tool) => tool.name !== name);
  const wanted = launch.selected.has(name) && skills.known.length > 0;
  return wanted ? [...others, skillTool] : others;
}
