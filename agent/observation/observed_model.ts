import type { AssistantMessage } from "../messages.ts";
import { type Model, ModelError, type ModelEvent, type ModelRequest } from "../model/model.ts";
import { usageRecord } from "../session/convert.ts";
import type { Observe, RequestEnded } from "./observation.ts";

/** The same model, each request of which is observed; `now` is in milliseconds. */
export function observedModel(model: Model, observe: Observe, now: () => number): Model {
  let requests = 0;
  return {
    name: model.name,
    ...(model.prepare && { prepare: () => model.prepare?.() }),
    ask: (request, signal) => observedRequest(++requests, request, signal),
  };

  async function* observedRequest(
    request_id: number,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    const began = now();
    const { messages, tools } = request;
    const course: Course = { retries: 0, firstMs: undefined };
    observe({
      type: "request_started",
      ...{ request_id, model: model.name, messages: messages.length, tools: tools.length },
    });
    // Whoever leaves the loop early ends the generator here, which only `finally` sees.
    let end: RequestOutcome = { outcome: "stopped" };
    try {
      for await (const event of model.ask(request, signal)) {
        follow(course, event, now() - began);
        if (event.type === "answer") end = answered(event.message);
        yield event;
      }
    } catch (error) {
      if (!signal.aborted) end = failed(error);
      throw error;
    } finally {
      const { retries, firstMs: first_ms } = course;
      observe({
        type: "request_ended",
        ...{ request_id, ...end, retries, duration_ms: now() - began },
        ...(first_ms !== undefined && { first_ms }),
      });
    }
  }
}

/** What was seen of a request so far. */
interface Course {
  retries: number;
  firstMs: number | undefined;
}

type RequestOutcome = Omit<
  RequestEnded,
  "type" | "request_id" | "retries" | "first_ms" | "duration_ms"
>;

function follow(course: Course, event: ModelEvent, ms: number): void {
  if (event.type !== "retry") {
    course.firstMs ??= ms;
    return;
  }
  course.retries++;
  // What came of the attempt before is void.
  course.firstMs = undefined;
}

function answered({ text, toolCalls, model, finish, usage }: AssistantMessage): RequestOutcome {
  return {
    outcome: "answered",
    ...{ finish, answered_by: model },
    usage: usageRecord(usage),
    answer: {
      text,
      tool_calls: toolCalls.map((call) => ({ name: call.name, arguments: call.arguments })),
    },
  };
}

function failed(error: unknown): RequestOutcome {
  if (!(error instanceof ModelError)) return { outcome: "failed", message: String(error) };
  const { kind, message, options: { status } } = error;
  return { outcome: "failed", error: kind, message, ...(status !== undefined && { status }) };
}
