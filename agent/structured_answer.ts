import { type Content, text } from "../tools/tool.ts";
import type { Agent } from "./agent.ts";
import type { AnswerSchema } from "./answer_schema.ts";
import type { EventSink, UsageTotals } from "./events.ts";
import { EXIT } from "./exit_code.ts";
import type { RunLimits, TaskEnd } from "./loop/loop.ts";

/**
 * Does a task whose answer must fit a schema. An answer that does not is told why and gets one turn
 * to be put right, where the limits leave one; after that the run has failed. The text of a good end
 * is JSON alone.
 */
export async function taskInSchema(
  agent: Agent,
  content: readonly Content[],
  schema: AnswerSchema,
  signal: AbortSignal,
  emit: EventSink,
): Promise<TaskEnd> {
  const before = agent.usage();
  const first = await agent.task(content, signal);
  if (!isAnswer(first)) return first;
  const checked = schema.check(first.text);
  if (checked.ok) return { ...first, text: checked.text };
  const left = limitsLeft(agent.limits, first.turns, before, agent.usage());
  if (left === undefined) return misfit(first, checked.problem, emit);
  const second = await agent.task([text(repair(checked.problem))], signal, { limits: left });
  const turns = first.turns + second.turns;
  if (!isAnswer(second) && second.reason !== "turn_limit") return { ...second, turns };
  const again = schema.check(second.text);
  if (second.reason === "turn_limit" || !again.ok) {
    const problem = again.ok ? "tools were called instead of an answer" : again.problem;
    return misfit({ ...second, turns }, problem, emit);
  }
  return { ...first, text: again.text, turns };
}

/** Whether the model came to an answer of its own. */
function isAnswer({ reason }: TaskEnd): boolean {
  return reason === "done" || reason === "approval_unavailable";
}

/** What is left for one more turn; undefined where nothing is. */
function limitsLeft(
  { maxTurns, maxBudgetUsd }: RunLimits,
  turns: number,
  before: UsageTotals,
  now: UsageTotals,
): RunLimits | undefined {
  if (maxTurns !== undefined && turns >= maxTurns) return undefined;
  if (maxBudgetUsd === undefined) return { maxTurns: 1 };
  const left = maxBudgetUsd - ((now.cost_usd ?? 0) - (before.cost_usd ?? 0));
  return left > 0 ? { maxTurns: 1, maxBudgetUsd: left } : undefined;
}

function misfit(end: TaskEnd, problem: string, emit: EventSink): TaskEnd {
  const message = `The answer does not fit --output-schema: ${problem}`;
  emit({ type: "error", message, code: "output_schema" });
  return { ...end, reason: "failed", exitCode: EXIT.failed };
}

function repair(problem: string): string {
  return `Your last message does not fit the JSON Schema: ${problem}. ` +
    "Answer again with the JSON value alone.";
}
