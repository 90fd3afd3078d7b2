import * as z from "zod";
import { stopAt } from "../sandbox/commands/timers.ts";
import { schema } from "./schema.ts";
import type { Child, Children } from "./subagent/children.ts";
import { watchProgress } from "./subagent/progress.ts";
import {
  childId,
  childValue,
  findChildren,
  lookAtChildren,
  noChild,
  renderChild,
} from "./subagent/value.ts";
import { defineTool, text } from "./tool.ts";

/** How long is waited where nothing is said, in milliseconds. */
const DEFAULT_WAIT_MS = 300_000;

/** The longest that one call waits, in milliseconds: as long as a command may take. */
const MAX_WAIT_MS = 600_000;

const parameters = z.strictObject({
  child_ids: z.array(childId).optional(),
  mode: z.enum(["any", "all"]).default("all"),
  wait_ms: z.number().nonnegative().optional()
    .describe(`Default ${DEFAULT_WAIT_MS}, at most ${MAX_WAIT_MS}`),
});

const value = z.object({
  children: z.array(childValue),
  unknown: z.array(z.string()),
  /** Set where the time was up before what was waited for came. */
  waited_ms: z.number().optional(),
});

/** The tool `subagent_wait`: waits until sub-agents have ended or ask; it never ends them. */
export const subagentWait = defineTool({
  name: "subagent_wait",
  description: "Wait for sub-agents to end or ask, and show their results. When the time is up " +
    "they work on.",
  parameters: schema(parameters),
  needs: { uses: ["children"] },
  plan: () => ({ touches: [] }),
  async run({ child_ids, mode, wait_ms }, { children, signal, progress }) {
    const { found, unknown } = child_ids
      ? findChildren(children, child_ids)
      : { found: waitedFor(children), unknown: [] };
    const ms = Math.min(wait_ms ?? DEFAULT_WAIT_MS, MAX_WAIT_MS);
    using _progress = watchProgress(found, progress);
    const met = await waitFor(found, mode, ms, signal);
    signal.throwIfAborted();
    return { children: lookAtChildren(found), unknown, ...(!met && { waited_ms: ms }) };
  },
  result: schema(value),
  render({ children, unknown, waited_ms }) {
    const parts = [
      ...children.map(renderChild),
      ...unknown.map(noChild),
      ...(children.length + unknown.length === 0 ? ["[no sub-agent works]"] : []),
      ...(waited_ms === undefined ? [] : [`[waited ${waited_ms}ms: not all have ended]`]),
    ];
    return [text(parts.join("\n\n"))];
  },
});

/** Those that work, and those that ended since the model was last told. */
function waitedFor(children: Children): Child[] {
  return children.list().filter((child) => child.isNews || child.facts().end === undefined);
}

/** Whether what is waited for came before the time was up. */
async function waitFor(
  children: readonly Child[],
  mode: "any" | "all",
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (children.length === 0) return true;
  using limit = stopAt(ms, signal);
  const came = mode === "any"
    ? Promise.race(children.map((child) => child.settled()))
    : allEnded(children);
  return await Promise.race([came.then(() => true), limit.reached.then(() => false)]);
}

/** Resolves when all have ended, or one asks: it cannot go on before it has its answer. */
async function allEnded(children: readonly Child[]): Promise<void> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const ended = children.map(async (child) => {
    await child.settled();
    if (child.facts().end === undefined) resolve();
  });
  await Promise.race([asked, Promise.all(ended)]);
}
