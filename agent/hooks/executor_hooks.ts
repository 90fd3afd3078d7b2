import type { Person } from "../../tools/tool.ts";
import type { ExecutorParts } from "../calls/executor_parts.ts";
import { type Approver, denyAll } from "../gate/approver.ts";
import type { GateParts } from "../gate/pass_gate.ts";
import type { Launch } from "../launch.ts";
import type { AgentHooks } from "./open_hooks.ts";
import type { TaskHooks } from "./task_hooks.ts";

/** Who is asked where hooks let them. */
interface Asked {
  readonly approve: Approver;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  readonly launch: Pick<Launch, "settings">;
}

/** Where hooks stand in the executor: around calls, and before the person who is asked. */
export function executorHooks(
  { calls, tasks }: AgentHooks,
  { approve, interactive, launch }: Asked,
): Pick<ExecutorParts, "hooks" | "askHooks" | "approve"> {
  const asking: Approver = (question, signal) => {
    if (interactive) tasks.notify(`Cordon asks for a yes: ${question.tool}, ${question.reason}`);
    return approve(question, signal);
  };
  const askHooks: GateParts["askHooks"] = ({ call, tool, args }, { kind, reason }, signal) =>
    tasks.permissionIsAsked({
      ...{ callId: call.callId, tool: tool.name, input: args, reason },
      forbidden: kind === "deny",
    }, signal);
  const denies = launch.settings.approval === "deny";
  return { hooks: calls, askHooks, approve: denies ? denyAll : asking };
}

/** Lets hooks know that the model asks the person something. */
export function notifyingPerson(person: Person, { notify }: Pick<TaskHooks, "notify">): Person {
  return {
    ask(question, signal) {
      notify(`Cordon asks: ${question.question}`);
      return person.ask(question, signal);
    },
  };
}
