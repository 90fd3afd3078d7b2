import * as z from "zod";
import { schema } from "./schema.ts";
import { watchProgress } from "./subagent/progress.ts";
import { taskShape, timeoutMs } from "./subagent/request.ts";
import { PREVIOUS, runBatch } from "./subagent/run_batch.ts";
import { childValue, lookAtChild, renderChild } from "./subagent/value.ts";
import { defineTool, type Infer, text } from "./tool.ts";
import { SHOWN_BYTES } from "./truncate.ts";

/** Tasks of one batch, at the most. */
const MAX_TASKS = 100;

/** So many work at once where nothing is said; the session's own limit holds, too. */
const DEFAULT_CONCURRENCY = 4;

const parameters = z.strictObject({
  tasks: z.array(z.strictObject(taskShape)).min(1).max(MAX_TASKS),
  mode: z.enum(["parallel", "pipeline"]).default("parallel").describe(
    `pipeline: in turn, ${PREVIOUS} being the result of the one before`,
  ),
  concurrency: z.number().min(1).max(64).default(DEFAULT_CONCURRENCY),
  timeout_ms: timeoutMs.describe("Of each"),
  max_tokens: z.number().min(1).optional().describe("Of all"),
  max_cost_usd: z.number().positive().optional(),
  cancel_on_failure: z.boolean().default(false).describe("One ends the others"),
});

const item = z.discriminatedUnion("started", [
  childValue.extend({ started: z.literal(true) }),
  z.object({ started: z.literal(false), reason: z.string() }),
]);

const value = z.object({
  /** In the order of the tasks. */
  children: z.array(item),
  succeeded: z.number(),
});

/** The tool `subagent_batch`: many tasks by sub-agents, results in the order of the tasks. */
export const subagentBatch = defineTool({
  name: "subagent_batch",
  description: "Do tasks by sub-agents and wait for all results, in order.",
  parameters: schema(parameters),
  needs: { uses: ["children"] },
  plan: () => ({ touches: [{ kind: "child" }] }),
  async run(
    { tasks, timeout_ms, max_tokens, max_cost_usd, cancel_on_failure, ...options },
    { children, signal, progress },
  ): Promise<Infer<typeof value>> {
    using watches = new DisposableStack();
    const limits = { maxTokens: max_tokens, maxCostUsd: max_cost_usd };
    const items = await runBatch(
      tasks.map((task) => ({ ...task, ...(timeout_ms !== undefined && { timeout_ms }) })),
      children,
      { ...options, ...limits, cancelOnFailure: cancel_on_failure },
      signal,
      (child) => watches.use(watchProgress([child], progress)),
    );
    signal.throwIfAborted();
    const ended = items.flatMap((item) => item.kind === "ended" ? [item.child] : []);
    const share = Math.floor(SHOWN_BYTES / items.length);
    return {
      children: items.map((item) =>
        item.kind === "ended"
          ? { started: true as const, ...lookAtChild(item.child, share) }
          : { started: false as const, reason: item.reason }
      ),
      succeeded: ended.filter((child) => child.facts().state === "success").length,
    };
  },
  result: schema(value),
  render: ({ children, succeeded }) => [
    text([
      `[${succeeded} of ${children.length} succeeded]`,
      ...children.map((item, index) =>
        `${index + 1}. ${item.started ? renderChild(item) : `not started: ${item.reason}`}`
      ),
    ].join("\n\n")),
  ],
});
