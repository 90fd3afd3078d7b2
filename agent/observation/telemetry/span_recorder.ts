import { type Span, SpanKind } from "@opentelemetry/api";
import { clipped } from "../../clipped.ts";
import type { ChildEvent, HookEvent, RetryEvent } from "../../events.ts";
import type {
  CompactionEnded,
  Observation,
  RequestEnded,
  RequestStarted,
  TaskEnded,
  TaskStarted,
} from "../observation.ts";
import { ATTR } from "./attributes.ts";
import { CallSpans } from "./call_spans.ts";
import { RunAttributes, type RunFacts } from "./run_attributes.ts";
import { answerAttributes, answerContent, messages, requestFailure } from "./span_attributes.ts";
import { MAX_MESSAGE_CHARS, type SpanTree, TASK } from "./span_tree.ts";

const COMPACTION = "compaction";

/** Reasons for which a task ends that are nobody's error. */
const GOOD_ENDS: ReadonlySet<string> = new Set(
  ["done", "turn_limit", "budget", "time_limit", "interrupted"],
);

/** Makes spans of what is observed; contents of messages and calls stay out unless they were asked for. */
export class SpanRecorder {
  readonly #run: RunAttributes;
  readonly #spans: SpanTree;
  readonly #calls: CallSpans;
  #used = { input: 0, output: 0 };

  constructor(facts: RunFacts, spans: SpanTree) {
    this.#run = new RunAttributes(facts);
    this.#spans = spans;
    this.#calls = new CallSpans(this.#run, spans);
  }

  record(observation: Observation): void {
    switch (observation.type) {
      case "session":
        return this.#run.learn(observation);
      case "task_started":
        return this.#beginTask(observation);
      case "task_ended":
        return this.#endTask(observation);
      case "request_started":
        return this.#beginRequest(observation);
      case "retry":
        return this.#tellRetry(observation);
      case "request_ended":
        return this.#endRequest(observation);
      case "compaction_started":
        return this.#beginCompaction(observation.asked);
      case "compaction_ended":
        return this.#endCompaction(observation);
      case "tool_call":
        return this.#calls.begin(observation);
      case "approval":
        return this.#calls.tellVerdict(observation);
      case "call_cleared":
        return this.#calls.clear(observation);
      case "tool_result":
        return this.#calls.end(observation);
      case "child":
        return this.#seeChild(observation);
      case "hook":
        return this.#tellHook(observation);
      default:
        return;
    }
  }

  /** The span below which a child's own spans belong. */
  spanOfChild(childId: string): Span | undefined {
    return this.#spans.find(childKey(childId));
  }

  #beginTask({ prompt }: TaskStarted): void {
    const { agent, version, content } = this.#run.facts;
    this.#used = { input: 0, output: 0 };
    this.#spans.begin(TASK, {
      name: `invoke_agent ${agent}`,
      kind: SpanKind.INTERNAL,
      parent: undefined,
      attributes: {
        ...this.#run.of("invoke_agent"),
        [ATTR.agentName]: agent,
        [ATTR.agentVersion]: version,
        ...(content && { [ATTR.inputMessages]: messages("user", prompt) }),
      },
    });
  }

  #endTask({ reason, turns }: TaskEnded): void {
    this.#spans.end(TASK, {
      [ATTR.endReason]: reason,
      [ATTR.turns]: turns,
      [ATTR.inputTokens]: this.#used.input,
      [ATTR.outputTokens]: this.#used.output,
    }, GOOD_ENDS.has(reason) ? undefined : { type: reason });
  }

  #beginRequest({ request_id, model }: RequestStarted): void {
    const { server, maxOutputTokens } = this.#run.facts;
    this.#spans.begin(requestKey(request_id), {
      name: `chat ${model}`,
      kind: SpanKind.CLIENT,
      parent: this.#spans.find(COMPACTION) ?? this.#spans.find(TASK),
      attributes: {
        ...this.#run.of("chat"),
        [ATTR.requestModel]: model,
        [ATTR.requestStream]: true,
        ...(server && { [ATTR.serverAddress]: server.address, [ATTR.serverPort]: server.port }),
        ...(maxOutputTokens !== undefined && { [ATTR.maxTokens]: maxOutputTokens }),
      },
    });
  }

  #tellRetry({ attempt, delay_ms, reason }: RetryEvent): void {
    const why = clipped(reason, MAX_MESSAGE_CHARS);
    const told = { attempt, delay_ms, reason: why };
    this.#spans.findLast(requestKey(""))?.addEvent("cordon.retry", told);
  }

  #endRequest(end: RequestEnded): void {
    this.#used.input += end.usage?.input_tokens ?? 0;
    this.#used.output += end.usage?.output_tokens ?? 0;
    this.#spans.end(
      requestKey(end.request_id),
      { ...answerAttributes(end), ...(this.#run.facts.content && answerContent(end)) },
      requestFailure(end),
    );
  }

  #beginCompaction(asked: boolean): void {
    this.#spans.begin(COMPACTION, {
      name: "compact conversation",
      kind: SpanKind.INTERNAL,
      parent: this.#spans.find(TASK),
      attributes: { ...this.#run.conversation(), [ATTR.asked]: asked },
    });
  }

  #endCompaction({ ok, reason, before_tokens, after_tokens }: CompactionEnded): void {
    this.#spans.end(COMPACTION, {
      ...(before_tokens !== undefined && { [ATTR.beforeTokens]: before_tokens }),
      ...(after_tokens !== undefined && { [ATTR.afterTokens]: after_tokens }),
    }, ok ? undefined : { type: "compaction_failed", message: reason });
  }

  #seeChild({ child_id, role, state, reason }: ChildEvent): void {
    const key = childKey(child_id);
    switch (state) {
      case "queued":
        return this.#spans.begin(key, {
          name: `invoke_agent ${role}`,
          kind: SpanKind.CLIENT,
          // The call that starts it runs alone, and is the last that is open.
          parent: this.#calls.last ?? this.#spans.find(TASK),
          attributes: {
            ...this.#run.of("invoke_agent"),
            [ATTR.agentName]: role,
            [ATTR.childId]: child_id,
          },
        });
      case "running":
      case "question":
        return void this.#spans.find(key)?.addEvent(`cordon.child.${state}`);
      default: {
        const failure = state === "success" ? undefined : { type: state, message: reason };
        return this.#spans.end(key, { [ATTR.childState]: state }, failure);
      }
    }
  }

  #tellHook({ event, outcome, duration_ms, call_id }: HookEvent): void {
    const call = call_id === undefined ? undefined : this.#calls.find(call_id);
    const span = call ?? this.#spans.find(TASK);
    span?.addEvent("cordon.hook", { event, outcome, duration_ms });
  }
}

function requestKey(id: number | ""): string {
  return `request ${id}`;
}

function childKey(id: string): string {
  return `child ${id}`;
}
