import type { Attributes } from "@opentelemetry/api";
import type { SessionEvent } from "../../events.ts";
import { ATTR } from "./attributes.ts";

/** What spans say of the run that they are of. */
export interface RunFacts {
  /** As `cordon`, or the role of a sub-agent. */
  readonly agent: string;
  readonly version: string;
  readonly provider: string;
  /** Of the model's server; absent for a script. */
  readonly server?: { readonly address: string; readonly port: number };
  readonly maxOutputTokens?: number | undefined;
  /** Whether what is said, asked for and answered goes along. */
  readonly content: boolean;
}

/** What all spans of a run say, once its session is known. */
export class RunAttributes {
  readonly facts: RunFacts;
  #session: Pick<SessionEvent, "session_id" | "model"> | undefined;

  constructor(facts: RunFacts) {
    this.facts = facts;
  }

  /** The session has begun. */
  learn(session: SessionEvent): void {
    this.#session = session;
  }

  /** Of an operation of a model or an agent. */
  of(operation: "chat" | "invoke_agent"): Attributes {
    return {
      [ATTR.operation]: operation,
      [ATTR.provider]: this.facts.provider,
      ...(this.#session && { [ATTR.requestModel]: this.#session.model }),
      ...this.conversation(),
    };
  }

  conversation(): Attributes {
    return this.#session ? { [ATTR.conversation]: this.#session.session_id } : {};
  }
}
