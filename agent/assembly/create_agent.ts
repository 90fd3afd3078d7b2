import type { Agent } from "../agent.ts";
import { frameOf } from "../loop/ask_model.ts";
import { EXIT } from "../exit_code.ts";
import { runTask, type TaskEnd } from "../loop/loop.ts";
import type { Steering } from "../loop/steering.ts";
import type { AgentParts } from "./agent_parts.ts";
import { abandonAgent, closeAgent } from "./end_agent.ts";
import { sessionEvent } from "./session_event.ts";
import { sessionLoop } from "./session_loop.ts";

/** How a task ends that a hook refused. */
const REFUSED: TaskEnd = { reason: "failed", exitCode: EXIT.failed, text: "", turns: 0 };

/** Joins the parts to an agent; nothing happens until its first task. */
export function createAgent(parts: AgentParts): Agent {
  const { launch, enclosure, session, children, skills, redaction } = parts;
  const { capabilities, sweeping } = parts.backing;
  const loop = sessionLoop(parts);
  const { append, keeper, steering } = loop;
  let begun = false;
  async function startHooks(signal: AbortSignal): Promise<void> {
    if (begun) return;
    begun = true;
    const how = session.conversation.turns > 0 ? "resume" : "startup";
    await parts.hooks?.tasks.sessionStarts(how, signal);
  }
  return {
    session,
    ...{ launch, enclosure },
    ...(parts.foreign && { foreign: parts.foreign }),
    files: capabilities.files,
    moves: parts.snapshots,
    started: sessionEvent(parts),
    usage: loop.usage,
    limits: launch.settings.limits,
    async task(content, signal, options = {}) {
      steering.open();
      try {
        await skills.look();
        await startHooks(signal);
        if (!await loop.hear(content, signal)) return withUndelivered(REFUSED, steering);
        await parts.foreign?.ready(signal);
        const run = loop.forTask(options);
        // A child is held by what holds its parent.
        using _working = children?.beginTask(
          () => run.executor.tools.map(({ name }) => name).filter((name) => !skills.refusal(name)),
          run.executor,
        );
        const end = await parts.egress.during(signal, () => runTask(run, signal));
        const text = redaction.redact(end.text);
        return withUndelivered({ ...end, text }, steering);
      } finally {
        steering.close();
        skills.endTask();
        await parts.snapshots.endTask();
      }
    },
    steer: (said) => steering.add(said),
    async compact(instructions, signal) {
      try {
        return await keeper.compact(frameOf(loop.forTask({})), instructions, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        return { ok: false, reason: "it was stopped" };
      }
    },
    windowFill: () => keeper.fill(frameOf(loop.forTask({}))),
    async runCommand(command, signal, progress) {
      const { runPersonCommand } = await import("../person_command.ts");
      const shell = { launch, tools: enclosure.offered, capabilities, sweeping, redaction, append };
      return await parts.egress.during(
        signal,
        () => runPersonCommand(command, shell, signal, progress),
      );
    },
    abandon: () => abandonAgent(parts),
    close: (reason) => closeAgent(parts, append, reason),
  };
}

/** The end of a task, with what a person said that nobody was told. */
function withUndelivered(end: TaskEnd, steering: Steering): TaskEnd {
  const undelivered = steering.close();
  return undelivered.length > 0 ? { ...end, undelivered } : end;
}
