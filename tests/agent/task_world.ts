import { z } from "zod";
import { ContextKeeper, type RequestFrame } from "../../agent/compaction/keeper.ts";
import type { RunningJob } from "../../agent/compaction/kept_facts.ts";
import type { WindowSettings } from "../../agent/compaction/model_window.ts";
import { frameOf } from "../../agent/loop/ask_model.ts";
import type { AgentEvent } from "../../agent/events.ts";
import { type LoopParts, type RunLimits, runTask, type TaskEnd } from "../../agent/loop/loop.ts";
import { createModel } from "../../agent/model/connect.ts";
import { costOf, type Prices, providerFor } from "../../agent/model/provider.ts";
import type { Usage } from "../../agent/messages.ts";
import { userRecord } from "../../agent/session/convert.ts";
import { memorySession, type Session } from "../../agent/session/log.ts";
import type { Steering } from "../../agent/loop/steering.ts";
import { schema } from "../../tools/schema.ts";
import { defineTool, text, type Tool } from "../../tools/tool.ts";
import type { ModelServer } from "../helpers/model_server.ts";
import { executorParts } from "./executor_parts.ts";
import { options } from "./session/fixtures.ts";

/** A session over a fake server, as far as loop and model go. */
export interface TaskWorld {
  readonly session: Session;
  readonly events: readonly AgentEvent[];
  readonly keeper: ContextKeeper;
  readonly frame: RequestFrame;
  task(said: string, signal?: AbortSignal): Promise<TaskEnd>;
  eventsOf<T extends AgentEvent["type"]>(type: T): (AgentEvent & { type: T })[];
}

export interface TaskWorldOptions {
  readonly session?: Session;
  readonly window?: Partial<WindowSettings>;
  readonly jobs?: readonly RunningJob[];
  readonly limits?: RunLimits;
  readonly prices?: Prices;
  readonly steering?: Steering;
  /** Absent: `read_file`. */
  readonly tools?: readonly Tool[];
}

/** Joins loop, keeper and session; time does not pass. */
export function taskWorld(server: ModelServer, given: TaskWorldOptions = {}): TaskWorld {
  const session = given.session ?? memorySession(options("/nowhere"));
  const { conversation } = session;
  const events: AgentEvent[] = [];
  const emit = (event: AgentEvent) => void events.push(event);
  const price = (usage: Usage) => costOf(usage, given.prices);
  const append: Session["append"] = (record) => session.append(record);
  const model = createModel({
    name: "m1",
    provider: providerFor({ baseUrl: server.url, overrides: { wire: "chat" } }),
    loadBlob: () => Promise.reject(new Deno.errors.NotFound()),
    readText: () => Promise.reject(new Deno.errors.NotFound()),
    clock: { sleep: () => Promise.resolve(), random: () => 0 },
  });
  const window = { compactAt: 0.8, ...given.window };
  const keeper = new ContextKeeper({
    ...{ model, conversation, append, emit, window, costOf: price },
    runningJobs: () => given.jobs ?? [],
  });
  const parts: LoopParts = {
    ...{ model, conversation, keeper, emit, costOf: price },
    system: () => "You are a test.",
    limits: given.limits ?? {},
    ...(given.steering && { steering: given.steering }),
    executor: executorParts({ tools: given.tools ?? [readFile], append, emit }),
  };
  return {
    ...{ session, events, keeper, frame: frameOf(parts) },
    async task(said, signal = new AbortController().signal) {
      await append(userRecord([text(said)]));
      return await runTask(parts, signal);
    },
    eventsOf: (type) => events.filter((event) => event.type === type) as never,
  };
}

/** Reads nothing: its result has as many characters as it is asked for. */
export const readFile: Tool = defineTool({
  name: "read_file",
  description: "Reads.",
  parameters: schema(z.strictObject({ path: z.string(), characters: z.int() })),
  needs: {},
  plan: () => ({ touches: [] }),
  run: ({ path, characters }) =>
    Promise.resolve({ ok: true, path, text: "line of text\n".repeat(characters / 13) }),
  result: schema(z.object({ ok: z.boolean(), path: z.string(), text: z.string() })),
  render: (value) => [text(value.text)],
});

/** An answer that reads a file of so many characters. */
export function reads(path: string, characters: number, id = path) {
  return { toolCalls: [{ id, name: "read_file", arguments: { path, characters } }] };
}
