import type { EventSink } from "../events.ts";
import type { AssistantMessage, Usage } from "../messages.ts";
import { ModelError } from "../model/model.ts";
import type { Model, ModelRequest } from "../model/model.ts";
import { summaryRequest, type SummaryTask } from "./summary_request.ts";

/** What a model made of the older part; tokens are spent on what cannot be used, too. */
export type Summary =
  | { readonly ok: true; readonly text: string; readonly usage: Usage }
  | { readonly ok: false; readonly reason: string; readonly usage?: Usage };

/** How often a transcript that is too large for the model is halved. */
const MAX_HALVINGS = 3;

/**
 * Asks the model to sum up. What it cannot do is an answer, not an exception.
 * @throws {DOMException} "AbortError" where `signal` is raised.
 */
export async function summarise(
  model: Model,
  task: SummaryTask,
  emit: EventSink,
  signal: AbortSignal,
): Promise<Summary> {
  for (let halvings = 0;; halvings++) {
    const maxCharacters = Math.floor(task.maxCharacters / 2 ** halvings);
    try {
      return read(await ask(model, summaryRequest({ ...task, maxCharacters }), emit, signal));
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.kind === "context_overflow" && halvings < MAX_HALVINGS) continue;
      return { ok: false, reason: error.message };
    }
  }
}

async function ask(
  model: Model,
  request: ModelRequest,
  emit: EventSink,
  signal: AbortSignal,
): Promise<AssistantMessage> {
  for await (const event of model.ask(request, signal)) {
    if (event.type === "answer") return event.message;
    if (event.type !== "retry") continue;
    const { attempt, delayMs, reason } = event;
    emit({ type: "retry", attempt, delay_ms: delayMs, reason });
  }
  throw new ModelError("failed", "The model ended without a summary");
}

function read({ text, finish, usage }: AssistantMessage): Summary {
  if (text.trim() === "") return { ok: false, reason: "the model's summary is empty", usage };
  if (finish === "content_filter") {
    return { ok: false, reason: "the server's content filter cut the summary off", usage };
  }
  // The newest messages stay as they are, so a summary that lacks its end is better than none.
  const end = finish === "length" ? "\n[cut off]" : "";
  return { ok: true, text: `${text.trim()}${end}`, usage };
}
