import type { Agent } from "../agent.ts";
import type { Model } from "../model/model.ts";
import type { Redaction } from "../redaction.ts";
import type { Observation } from "./observation.ts";
import { observedAgent, type RunRecords } from "./observed_agent.ts";
import { observedModel } from "./observed_model.ts";

/** Who keeps a record of a run: a log, or traces for a collector. */
export interface Recorder {
  /** Takes what was observed, without secrets; it never throws. */
  record(observation: Observation): void;
  /** The trace to which a child belongs; absent where there are no traces. */
  traceparentOf?(childId: string): string | undefined;
  /** Brings to its end what is recorded, and lets go; nobody waits for it for long. */
  close(): Promise<void>;
  /** The same for a process that ends at once. */
  abandon(): Promise<void>;
}

/** What comes in pieces and is told whole afterwards, or is for the screen alone. */
const PIECES: ReadonlySet<Observation["type"]> = new Set<Observation["type"]>(
  ["text_delta", "reasoning_delta", "tool_progress"],
);

/** Those who record one run; without any of them nothing is observed, and nothing costs. */
export class Recorders implements RunRecords, AsyncDisposable {
  readonly #redaction: Redaction;
  #recorders: readonly Recorder[] = [];

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** Has the rest of the run recorded. */
  add(recorder: Recorder): void {
    this.#recorders = [...this.#recorders, recorder];
  }

  /** Whether anybody records it. */
  get any(): boolean {
    return this.#recorders.length > 0;
  }

  readonly observe = (observation: Observation): void => {
    if (!this.any || PIECES.has(observation.type)) return;
    const clean = this.#redaction.json(observation);
    for (const recorder of this.#recorders) recorder.record(clean);
  };

  /** The trace that a child's process is to go on with. */
  traceparentOf(childId: string): string | undefined {
    return this.#recorders.map((recorder) => recorder.traceparentOf?.(childId)).find(Boolean);
  }

  /** The model, observed where anybody records. */
  model(model: Model): Model {
    return this.any ? observedModel(model, this.observe, now) : model;
  }

  /** The agent, observed where anybody records; the recorders end with it. */
  agent(agent: Agent): Agent {
    return this.any ? observedAgent(agent, this, now) : agent;
  }

  close(): Promise<void> {
    return this.#end((recorder) => recorder.close());
  }

  abandon(): Promise<void> {
    return this.#end((recorder) => recorder.abandon());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The last one goes first, so that the log still takes what traces complain of. */
  async #end(act: (recorder: Recorder) => Promise<void>): Promise<void> {
    for (const recorder of [...this.#recorders].reverse()) {
      await act(recorder);
      this.#recorders = this.#recorders.filter((other) => other !== recorder);
    }
  }
}

/** Whole milliseconds of a clock that only goes forward. */
function now(): number {
  return Math.round(performance.now());
}
