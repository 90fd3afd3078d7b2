import type { Message, Usage } from "../messages.ts";
import { ModelError, type ModelRequest } from "../model/model.ts";
import type { Observe } from "../observation/observation.ts";
import { observedCompaction } from "../observation/observed_compaction.ts";
import { wordsOf } from "../model/failure.ts";
import { type CostOf, usageTotals } from "../usage_totals.ts";
import type { Compacted, CompactionParts } from "./compact.ts";
import { Omissions } from "./omissions.ts";
import { RequestMeter } from "./request_meter.ts";
import { shareOut } from "./room.ts";
import { ModelWindow, type WindowSettings } from "./model_window.ts";
import { refusalOf, toldSizes } from "./told_window.ts";

/** What a keeper works with. */
export interface KeeperParts extends CompactionParts {
  readonly window: WindowSettings;
  /** Why the conversation is not to be compacted now; undefined: it is. */
  readonly objection?: (
    trigger: "auto" | "manual",
    instructions: string | undefined,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  readonly costOf: CostOf;
  /** Told when a compaction begins and how it ended; absent: nobody is. */
  readonly observe?: Observe;
}

/** What goes with the messages in each request: it counts against the window, too. */
export type RequestFrame = Pick<ModelRequest, "system" | "tools">;

/** How a compaction ended; tokens are estimates of the next request. */
export type CompactionOutcome =
  | { readonly ok: true; readonly beforeTokens: number; readonly afterTokens: number }
  | { readonly ok: false; readonly reason: string };

/** How full the model's window is. */
export interface WindowFill {
  /** Of the next request, estimated. */
  readonly usedTokens: number;
  /** Undefined where nobody said it and no server has told it. */
  readonly windowTokens: number | undefined;
}

/** Who wants a compaction, and what of the summary. */
interface Wish {
  readonly asked: boolean;
  readonly instructions: string | undefined;
}

/** So much must a conversation have grown before it is compacted again, whatever the last try came to. */
const GROWTH = 1.2;
/** And by this share of the window: where system prompt and tools fill most of it, a fifth is little. */
const WINDOW_GROWTH = 0.05;

/**
 * Keeps what is sent within the model's window: the older part of the conversation gets a summary,
 * and where that fails, large results of calls are left out.
 */
export class ContextKeeper {
  readonly #parts: KeeperParts;
  readonly #meter = new RequestMeter();
  readonly #omissions = new Omissions();
  readonly #window: ModelWindow;
  /** Characters of the conversation below which it is not compacted again unasked. */
  #notBelow = 0;
  /** Whether the last try came to nothing. */
  #failed = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    const { model, conversation } = parts;
    this.#window = new ModelWindow(parts.window, model.name, conversation.learntWindow);
  }

  fill(frame: RequestFrame): WindowFill {
    return {
      usedTokens: this.#meter.tokensOf(this.#request(frame)),
      windowTokens: this.#window.tokens,
    };
  }

  /**
   * The messages to send now; where they take more of the window than they may, they are fewer.
   * @throws {DOMException} "AbortError" where `signal` is raised.
   */
  async messagesFor(frame: RequestFrame, signal: AbortSignal): Promise<readonly Message[]> {
    if (!this.#isFull(frame) || this.#cannotFit(frame)) return this.#sent();
    await this.#compactUnasked(frame, signal);
    const tooLarge = this.#isTooLarge(frame);
    const cannotCompact = this.#failed || !this.#window.mayCompact;
    if (tooLarge || (cannotCompact && this.#isFull(frame))) {
      this.#leaveOut(frame, { fresh: tooLarge });
    }
    return this.#sent();
  }

  /**
   * Smaller messages, after the server refused the last ones as too large.
   * @throws {ModelError} where nothing is left to make smaller: a sentence that says what to do.
   * @throws {DOMException} "AbortError" where `signal` is raised.
   */
  async smallerFor(
    frame: RequestFrame,
    error: ModelError,
    signal: AbortSignal,
  ): Promise<readonly Message[]> {
    const request = this.#request(frame);
    const { window, requested } = toldSizes(error);
    if (requested !== undefined) this.#meter.learn(request, requested);
    this.#window.refused(window, this.#meter.tokensOf(request));
    this.#meter.learnAtLeast(request, this.#window.tokens ?? 0);
    const smaller = await this.#compactUnasked(frame, signal) ||
      this.#leaveOut(frame, { fresh: false }) || this.#leaveOut(frame, { fresh: true });
    if (smaller) return this.#sent();
    throw this.#tooLarge(frame, error);
  }

  /** Takes what an answer to `messages` says of their size. */
  learn(frame: RequestFrame, messages: readonly Message[], usage: Usage): void {
    this.#meter.learn({ ...frame, messages }, usage.inputTokens);
    this.#window.accepted(usage.inputTokens);
  }

  /**
   * Compacts the conversation because the person wants it.
   * @throws {DOMException} "AbortError" where `signal` is raised.
   */
  async compact(
    frame: RequestFrame,
    instructions: string | undefined,
    signal: AbortSignal,
  ): Promise<CompactionOutcome> {
    return await this.#compact(frame, { asked: true, instructions }, signal);
  }

  async #compact(
    frame: RequestFrame,
    wish: Wish,
    signal: AbortSignal,
  ): Promise<CompactionOutcome> {
    const compact = () => this.#compactNow(frame, wish, signal);
    return await observedCompaction(wish.asked, this.#parts.observe, compact);
  }

  async #compactNow(
    frame: RequestFrame,
    wish: Wish,
    signal: AbortSignal,
  ): Promise<CompactionOutcome> {
    const { conversation, emit, costOf } = this.#parts;
    const beforeTokens = this.#meter.tokensOf(this.#request(frame));
    const spent = conversation.usage;
    const done = await this.#make(frame, wish, signal);
    if (done.ok || !wish.asked) {
      this.#failed = !done.ok;
      this.#notBelow = this.#sizeToGrowTo();
    }
    if (conversation.usage !== spent) {
      emit({ type: "usage", ...usageTotals(conversation.usage, costOf) });
    }
    if (!done.ok) {
      // Who asked for it has the outcome.
      if (!wish.asked) emit({ type: "compaction_failed", reason: done.reason });
      return done;
    }
    const afterTokens = this.#meter.tokensOf(this.#request(frame));
    emit({ type: "compaction", before_tokens: beforeTokens, after_tokens: afterTokens });
    return { ok: true, beforeTokens, afterTokens };
  }

  async #make(
    frame: RequestFrame,
    { asked, instructions }: Wish,
    signal: AbortSignal,
  ): Promise<Compacted> {
    const trigger = asked ? "manual" : "auto";
    const objection = await this.#parts.objection?.(trigger, instructions, signal);
    if (objection !== undefined) return { ok: false, reason: `a hook refused it: ${objection}` };
    const ofMessages = this.#meter.tokensOfMessages(this.#parts.conversation.messages);
    const window = this.#window.usable ?? this.#meter.tokensOf(this.#request(frame));
    const learnt = this.#window.learnt;
    // Most sessions never need it, and a start is too dear to load it then.
    const { compactConversation } = await import("./compact.ts");
    return await compactConversation(this.#parts, {
      room: shareOut(window, ofMessages, asked),
      meter: this.#meter,
      ...(instructions !== undefined && { instructions }),
      ...(learnt !== undefined && { window: { model: this.#parts.model.name, tokens: learnt } }),
    }, signal);
  }

  /** Whether the conversation is smaller now. A try that came to nothing is not made again at once. */
  async #compactUnasked(frame: RequestFrame, signal: AbortSignal): Promise<boolean> {
    const { conversation } = this.#parts;
    const size = this.#meter.charactersOfMessages(conversation.messages);
    if (!this.#window.mayCompact || size < this.#notBelow) return false;
    return (await this.#compact(frame, { asked: false, instructions: undefined }, signal)).ok;
  }

  #sizeToGrowTo(): number {
    const size = this.#meter.charactersOfMessages(this.#parts.conversation.messages);
    const share = this.#meter.charactersFor((this.#window.usable ?? 0) * WINDOW_GROWTH);
    return Math.max(size * GROWTH, size + share);
  }

  /** Whether results were left out; those that the model has not seen yet only where `fresh`. */
  #leaveOut(frame: RequestFrame, { fresh }: { readonly fresh: boolean }): boolean {
    const { messages } = this.#parts.conversation;
    const answered = messages.findLastIndex(({ role }) => role === "assistant");
    const results = this.#omissions.leaveOut(
      fresh ? messages : messages.slice(0, Math.max(0, answered)),
      () => !this.#isFull(frame),
    );
    if (results > 0) this.#parts.emit({ type: "left_out", results });
    return results > 0;
  }

  #isFull(frame: RequestFrame): boolean {
    const { trigger } = this.#window;
    return trigger !== undefined && this.#meter.tokensOf(this.#request(frame)) >= trigger;
  }

  #isTooLarge(frame: RequestFrame): boolean {
    const { usable } = this.#window;
    return usable !== undefined && this.#meter.tokensOf(this.#request(frame)) >= usable;
  }

  /** Whether no conversation at all would fit: then the window is not what was set, and its server decides. */
  #cannotFit(frame: RequestFrame): boolean {
    const { usable } = this.#window;
    return usable !== undefined && this.#meter.tokensOf({ ...frame, messages: [] }) >= usable;
  }

  #sent(): readonly Message[] {
    return this.#omissions.applyTo(this.#parts.conversation.messages);
  }

  #request(frame: RequestFrame): ModelRequest {
    return { ...frame, messages: this.#sent() };
  }

  #tooLarge(frame: RequestFrame, error: ModelError): ModelError {
    const { model } = this.#parts;
    const rest = this.#meter.tokensOf(this.#request(frame));
    const message = `Cannot ask "${model.name}": its window holds about ${this.#window.tokens} ` +
      `tokens, and what cannot be left out takes about ${rest} (${wordsIn(error)}); shorten the ` +
      "last message, offer fewer tools by --tools, or take a model with a larger window";
    return new ModelError("context_overflow", message, error.options);
  }
}

/** What the server said, its status before it. */
function wordsIn(error: ModelError): string {
  const refusal = refusalOf(error);
  return refusal ? wordsOf(refusal) : error.message;
}
