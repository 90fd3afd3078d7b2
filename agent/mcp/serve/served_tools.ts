import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Content, Tool } from "../../../tools/tool.ts";
import { executeCalls } from "../../calls/execute.ts";
import type { ExecutorParts } from "../../calls/executor_parts.ts";
import { nobody } from "../../gate/approver.ts";
import { questionQueue } from "../../gate/in_turn.ts";
import { sessionPolicy } from "../../gate/session_policy.ts";
import { RepetitionWatch } from "../../loop/repetition_watch.ts";
import { redactedAppend } from "../../redaction.ts";
import type { HeadlessGround } from "../headless_ground.ts";

/** What is offered without `--tools`: what only looks at files. */
export const SERVED_BY_DEFAULT: readonly string[] = ["read_file", "list_dir", "glob", "grep"];

/** Our tools as another agent calls them. */
export interface ServedTools {
  readonly listed: readonly ListedTool[];
  /** Judged by the gate and run as a model's own; whatever keeps it from that is a result, too. */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    progress: (text: string) => void,
  ): Promise<CallToolResult>;
}

/** The offered tools of a ground; their calls run one after the other, as those of one model. */
export function servedTools(
  ground: HeadlessGround,
  logError: (error: unknown) => void,
): ServedTools {
  const { offered } = ground.enclosure;
  const tellers = new Map<string, (text: string) => void>();
  const parts = executorParts(ground, tellers, logError);
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return {
    listed: offered.map(listing),
    async call(name, args, signal, progress) {
      const callId = `mcp_${++count}`;
      const before = last;
      const mine = Promise.withResolvers<void>();
      last = mine.promise;
      try {
        await before;
        tellers.set(callId, progress);
        // The watch is against a model that repeats itself: other agents have their own.
        const run = { ...parts, watch: new RepetitionWatch() };
        const call = { callId, name, arguments: JSON.stringify(args) };
        const [done] = await executeCalls([call], false, run, signal);
        return await resultOf(done?.outcome.content ?? [], done?.outcome.isError ?? true, ground);
      } finally {
        tellers.delete(callId);
        mine.resolve();
      }
    },
  };
}

function executorParts(
  ground: HeadlessGround,
  tellers: ReadonlyMap<string, (text: string) => void>,
  logError: (error: unknown) => void,
): ExecutorParts {
  const { backing, session, redaction, enclosure, observe } = ground;
  return {
    tools: enclosure.offered,
    capabilities: backing.capabilities,
    policy: sessionPolicy(ground),
    approve: nobody,
    inTurn: questionQueue(),
    rules: () => [],
    append: redactedAppend(session, redaction),
    markerIn: (value) => redaction.markerIn(value),
    ready: () => backing.sweeping.ready(),
    swept: (run) => backing.sweeping.call(run),
    observe,
    emit(event) {
      observe(event);
      if (event.type === "tool_progress") {
        tellers.get(event.call_id)?.(redaction.redact(event.text));
      }
    },
    watch: new RepetitionWatch(),
    logError,
  };
}

function listing({ name, description, parameters, needs }: Tool): ListedTool {
  const changes = needs.write !== undefined || needs.run !== undefined;
  return {
    name,
    description,
    // Every tool of ours takes an object.
    inputSchema: { ...parameters.json, type: "object" },
    annotations: { readOnlyHint: !changes, openWorldHint: needs.net !== undefined },
  };
}

async function resultOf(
  content: readonly Content[],
  isError: boolean,
  { redaction, session }: HeadlessGround,
): Promise<CallToolResult> {
  const parts = await Promise.all(content.map(async (part) => {
    if (part.type === "text") return { type: "text" as const, text: redaction.redact(part.text) };
    const bytes = await session.blobs.load(part.blob);
    if (!bytes) return { type: "text" as const, text: "[image: it is gone]" };
    return { type: "image" as const, data: bytes.toBase64(), mimeType: part.mediaType };
  }));
  return { content: parts, ...(isError && { isError }) };
}
