import type { AssistantMessage } from "../messages.ts";
import type { Model, ModelEvent } from "../model/model.ts";
import type { Step } from "./recording.ts";

/** What plays a recording, and how far it is. */
export interface ReplayedModel extends Model {
  /** The next step; undefined at the end. */
  readonly next: Step | undefined;
}

/** What a recording is played with. */
export interface PlayOptions {
  readonly steps: readonly Step[];
  /** Puts the workspace of the replay into what the model wrote. */
  readonly toReplay: (text: string) => string;
  /** Says to the running task what the person said in its middle. */
  readonly steer: (text: string) => void;
}

/** The name that a replay's own log has for its model. */
export const REPLAY_MODEL = "scripted:replay";

/** A model that gives the answers of a recording, one for each request, whatever it is asked. */
export function replayedModel({ steps, toReplay, steer }: PlayOptions): ReplayedModel {
  let index = 0;
  return {
    name: REPLAY_MODEL,
    get next() {
      return steps[index];
    },
    async *ask(_request, signal) {
      if (signal.aborted) throw new DOMException("The request was stopped", "AbortError");
      const step = steps[index];
      if (!step) return yield* play(ENDED);
      index++;
      const { answer } = step;
      if (answer.toolCalls.length > 0) {
        for (const deed of steps[index]?.before ?? []) if (deed.kind === "said") steer(deed.text);
      }
      yield* play({
        ...answer,
        toolCalls: answer.toolCalls.map((call) => ({
          ...call,
          arguments: toReplay(call.arguments),
        })),
      });
    },
  };
}

/** Where a recording breaks off between a result and the next answer. */
const ENDED: AssistantMessage = {
  role: "assistant",
  text: "The recording ends here.",
  toolCalls: [],
  model: REPLAY_MODEL,
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
  finish: "stop",
};

function* play(message: AssistantMessage): Generator<ModelEvent> {
  if (message.text !== "") yield { type: "text_delta", text: message.text };
  for (const { name } of message.toolCalls) yield { type: "tool_call_start", name };
  yield { type: "answer", message };
}
