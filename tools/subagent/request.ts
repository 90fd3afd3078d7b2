import * as z from "zod";
import type { Infer } from "../tool.ts";
import type { ChildRequest, RoleFacts } from "./children.ts";

/** How long a sub-agent may work where nothing is said, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30 * 60_000;

/** The longest, in milliseconds. */
const MAX_TIMEOUT_MS = 6 * 60 * 60_000;

/** A task is a prompt, and no file. In UTF-16 units. */
const MAX_PROMPT_CHARS = 256 * 1024;

/** What is said of each task. */
export const taskShape = {
  prompt: z.string().min(1).max(MAX_PROMPT_CHARS)
    .describe("The whole task: it sees nothing of this conversation"),
  role: z.string().optional().describe("Default explore"),
  schema: z.record(z.string(), z.unknown()).optional()
    .describe("Of its answer"),
  isolation: z.enum(["none", "worktree"]).optional(),
} as const;

/** How long it may work, in milliseconds. */
export const timeoutMs = z.number().min(1).max(MAX_TIMEOUT_MS).optional();

/** What ends a sub-agent that is started alone, and what a person knows it by. */
export const limitShape = {
  description: z.string().max(80).optional().describe("A few words, for the person"),
  timeout_ms: timeoutMs,
  max_turns: z.number().min(1).optional(),
  max_tokens: z.number().min(1).optional().describe("In and out"),
  max_cost_usd: z.number().positive().optional(),
} as const;

const task = z.strictObject({ ...taskShape, ...limitShape });

/** A task for a sub-agent, as the model words it. */
export type ChildTaskArguments = Infer<typeof task>;

/** The request that a model's words are. */
export function requestOf(
  { prompt, role = "explore", description, schema, ...limits }: ChildTaskArguments,
  answersQuestions: boolean,
): ChildRequest {
  const { timeout_ms, max_turns, max_tokens, max_cost_usd, isolation } = limits;
  return {
    ...{ prompt, role, answersQuestions },
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { schema }),
    ...(isolation !== undefined && { isolation }),
    limits: {
      timeoutMs: timeout_ms ?? DEFAULT_TIMEOUT_MS,
      ...(max_turns !== undefined && { maxTurns: Math.floor(max_turns) }),
      ...(max_tokens !== undefined && { maxTokens: max_tokens }),
      ...(max_cost_usd !== undefined && { maxCostUsd: max_cost_usd }),
    },
  };
}

/** The roles in a sentence, for a description. */
export function rolesText(roles: readonly RoleFacts[]): string {
  const listed = roles.map(({ name, description }) =>
    description === "" ? name : `${name} (${description})`
  );
  return `Roles: ${listed.join("; ")}.`;
}
