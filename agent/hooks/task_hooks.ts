import type { Decision, Question } from "../gate/approver.ts";
import { type Said, textOf } from "../loop/steering.ts";
import type { Hooks } from "./hooks.ts";

/** Hooks around tasks and sessions, in the words of the agent. */
export interface TaskHooks {
  /** Once, before the first task; what hooks say is told by the log. */
  sessionStarts(source: "startup" | "resume", signal: AbortSignal): Promise<void>;
  /** Why the model is not to be told what a person said; undefined: it is. */
  promptIsSaid(said: Said, signal: AbortSignal): Promise<string | undefined>;
  /** Whether hooks let a task end; where they do not, the log has told the model why. */
  mayEnd(lastMessage: string, signal: AbortSignal): Promise<boolean>;
  /** Why the conversation is not compacted; undefined: it is. */
  compacts(
    trigger: "auto" | "manual",
    instructions: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** What hooks decide in a person's place; undefined: the person is asked. */
  permissionIsAsked(
    question: PermissionQuestion,
    signal: AbortSignal,
  ): Promise<Decision | undefined>;
  /** A person is needed, or waited for; nobody waits for these hooks but the session's end. */
  notify(message: string): void;
  sessionEnds(reason: string): Promise<void>;
}

/** A question that the gate would put to a person. */
export interface PermissionQuestion extends Pick<Question, "callId" | "tool" | "reason"> {
  readonly input: unknown;
  /** It is refused in every mode, so that no hook can allow it. */
  readonly forbidden: boolean;
}

/** A task that hooks do not let end goes on so often; then it ends all the same. */
const MAX_CONTINUATIONS = 8;

/** How long the end of a session waits for its hooks, in milliseconds. */
const END_MS = 10_000;

/** Joins hooks to tasks; in a child, where a task ends, that is the end of a sub-agent. */
export function taskHooks(hooks: Hooks, isChild: boolean): TaskHooks {
  const notifying = new Set<Promise<unknown>>();
  const stopEvent = isChild ? "SubagentStop" : "Stop";
  let continued = 0;
  return {
    async sessionStarts(source, signal) {
      await hooks.run(
        {
          event: "SessionStart",
          subject: source,
          facts: { source },
          plain: true,
          tells: "context",
        },
        signal,
      );
    },
    async promptIsSaid(said, signal) {
      continued = 0;
      const { refusal } = await hooks.run({
        ...{ event: "UserPromptSubmit", plain: true, tells: "context" },
        facts: { prompt: textOf(said) },
      }, signal);
      return refusal;
    },
    async mayEnd(lastMessage, signal) {
      if (continued >= MAX_CONTINUATIONS) return true;
      const { refusal } = await hooks.run({
        ...{ event: stopEvent, tells: "refusal" },
        facts: { stop_hook_active: continued > 0, last_assistant_message: lastMessage },
      }, signal);
      if (refusal !== undefined) continued++;
      return refusal === undefined;
    },
    async compacts(trigger, instructions, signal) {
      const { refusal } = await hooks.run({
        ...{ event: "PreCompact", subject: trigger },
        facts: { trigger, custom_instructions: instructions ?? "" },
      }, signal);
      return refusal;
    },
    async permissionIsAsked({ callId, tool, reason, input, forbidden }, signal) {
      const { refusal, allow, ask } = await hooks.run({
        ...{ event: "PermissionRequest", subject: tool, input, callId },
        facts: { permission_reason: reason },
      }, signal);
      if (refusal !== undefined) return { decision: "deny", by: "hook", remark: refusal };
      return allow && ask === undefined && !forbidden
        ? { decision: "allow", by: "hook" }
        : undefined;
    },
    notify(message) {
      if (!hooks.has("Notification")) return;
      const signal = AbortSignal.timeout(END_MS);
      // What the log refuses it refuses the next record too, whose writer is told.
      const ran = hooks.run({ event: "Notification", facts: { message } }, signal).catch(() => {});
      notifying.add(ran);
      void ran.finally(() => notifying.delete(ran));
    },
    async sessionEnds(reason) {
      await Promise.all(notifying);
      const signal = AbortSignal.timeout(END_MS);
      await hooks.run({ event: "SessionEnd", facts: { reason } }, signal);
    },
  };
}
