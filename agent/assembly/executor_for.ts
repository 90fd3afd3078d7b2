import type { ExecutorParts } from "../calls/executor_parts.ts";
import type { EventSink } from "../events.ts";
import { denyAll } from "../gate/approver.ts";
import { inTurnPerson } from "../gate/in_turn.ts";
import { rulesOf } from "../gate/rules.ts";
import { sessionPolicy } from "../gate/session_policy.ts";
import { executorHooks, notifyingPerson } from "../hooks/executor_hooks.ts";
import { RepetitionWatch } from "../loop/repetition_watch.ts";
import type { Session } from "../session/log.ts";
import type { AgentParts } from "./agent_parts.ts";

/** What calls of the session are executed with. */
export function executorFor(
  parts: AgentParts,
  append: Session["append"],
  emit: EventSink,
): ExecutorParts {
  const { session, skills, children } = parts;
  const { settings } = parts.launch;
  const { sweeping } = parts.backing;
  const { offered: tools } = parts.enclosure;
  const hooks = parts.hooks?.tasks;
  const person = parts.person && hooks ? notifyingPerson(parts.person, hooks) : parts.person;
  return {
    tools,
    capabilities: {
      ...parts.backing.capabilities,
      skills,
      ...(children && { children: children.capability }),
      ...(person && { person: inTurnPerson(person, parts.inTurn) }),
    },
    policy: sessionPolicy(parts),
    approve: settings.approval === "deny" ? denyAll : parts.approve,
    ...(parts.edits && { edits: parts.edits }),
    ...(parts.hooks && executorHooks(parts.hooks, parts)),
    inTurn: parts.inTurn,
    rules: () => rulesOf(session.conversation.standingApprovals),
    append,
    markerIn: (value) => parts.redaction.markerIn(value),
    ready: () => sweeping.ready(),
    swept: (run) => sweeping.call(run),
    refusal: (tool) => skills.refusal(tool),
    emit,
    ...(parts.observe && { observe: parts.observe }),
    watch: new RepetitionWatch(),
    beforeChange: (callId, signal) => parts.snapshots.beforeChange(callId, signal),
    logError: parts.logError,
  };
}
