import type { CompactionRecord } from "../session/records.ts";

/** What was set of a model's window. */
export interface WindowSettings {
  /** Tokens that a request and its answer may have together; undefined where nobody said it. */
  readonly tokens?: number;
  /** The longest answer that is asked for: room that a request must leave. */
  readonly maxOutputTokens?: number;
  /** The share of the window from which on the conversation is compacted; false: never unasked. */
  readonly compactAt: number | false;
}

/** The share of a window at which a conversation is compacted, where nothing else is set. */
export const DEFAULT_COMPACT_AT = 0.8;

/** Where nothing is compacted, results are left out from this share on. */
const FULL_SHARE = 0.9;

/** A server that says no number has a window of at most this share of what it refused. */
const GUESS_SHARE = 0.9;

/** What is known of a model's window: set by a person, or learnt from its server's refusals. */
export class ModelWindow {
  readonly #settings: WindowSettings;
  #learnt: number | undefined;

  /** `learnt` comes from the log, and counts where it is about this model. */
  constructor(settings: WindowSettings, model: string, learnt: CompactionRecord["window"]) {
    this.#settings = settings;
    this.#learnt = learnt?.model === model ? learnt.tokens : undefined;
  }

  /** What the server told, or made us guess. */
  get learnt(): number | undefined {
    return this.#learnt;
  }

  /** Undefined where nothing is known. */
  get tokens(): number | undefined {
    const { tokens } = this.#settings;
    if (tokens === undefined || this.#learnt === undefined) return tokens ?? this.#learnt;
    return Math.min(tokens, this.#learnt);
  }

  /** What a request may take. */
  get usable(): number | undefined {
    const { tokens } = this;
    if (tokens === undefined) return undefined;
    // An answer as long as the window leaves no room at all: such a limit is no plan.
    return tokens - Math.min(this.#settings.maxOutputTokens ?? 0, tokens / 2);
  }

  /** The size from which on a request is made smaller. */
  get trigger(): number | undefined {
    const { usable } = this;
    return usable === undefined ? undefined : usable * (this.#settings.compactAt || FULL_SHARE);
  }

  get mayCompact(): boolean {
    return this.#settings.compactAt !== false;
  }

  /** Takes that the server refused so many tokens, and the window that it told, if it did. */
  refused(told: number | undefined, tokens: number): void {
    const known = this.tokens ?? Infinity;
    const guess = tokens < known ? Math.floor(tokens * GUESS_SHARE) : undefined;
    this.#learnt = told ?? guess ?? this.#learnt;
  }

  /** Takes that the server read so many tokens. */
  accepted(tokens: number): void {
    if (this.#learnt !== undefined) this.#learnt = Math.max(this.#learnt, tokens);
  }
}
