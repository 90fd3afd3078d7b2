import type { Agent } from "../agent.ts";
import type { AgentEvent } from "../events.ts";
import { CallTeller } from "./call_teller.ts";
import type { CallNames } from "./call_updates.ts";
import type { SessionVoice } from "./session_voice.ts";

/** What happens in an agent, as its editor is told of it. */
export class EventTeller {
  readonly #voice: SessionVoice;
  readonly #calls: CallTeller;
  /** Pieces of one message share an id. */
  #message: string;
  /** What has come of the present answer in pieces. */
  #told = { text: false, reasoning: false };
  #error: { readonly message: string; readonly code: string } | undefined;

  constructor(voice: SessionVoice, names: CallNames) {
    this.#voice = voice;
    this.#message = voice.newId("message");
    this.#calls = new CallTeller(voice, names);
  }

  get calls(): CallTeller {
    return this.#calls;
  }

  /** Forgets what went wrong before. */
  beginTurn(): void {
    this.#error = undefined;
  }

  /** The last thing that went wrong since {@linkcode beginTurn}. */
  get error(): { readonly message: string; readonly code: string } | undefined {
    return this.#error;
  }

  /** Tells of one event; what an editor has no place for is passed over. */
  take(event: AgentEvent): void {
    switch (event.type) {
      case "turn":
        return this.#beginMessage();
      case "text_delta":
        this.#told.text = true;
        return this.#chunk("agent_message_chunk", event.text);
      case "text":
        if (!this.#told.text) this.#chunk("agent_message_chunk", event.text);
        return;
      case "reasoning_delta":
        this.#told.reasoning = true;
        return this.#chunk("agent_thought_chunk", event.text);
      case "reasoning":
        if (!this.#told.reasoning) this.#chunk("agent_thought_chunk", event.text);
        return;
      case "retry":
        // What came of the answer so far is void, and cannot be taken back.
        this.#beginMessage();
        return this.#voice.note(`The model is asked again: ${event.reason}`);
      case "tool_call":
      case "tool_progress":
      case "tool_result":
      case "approval":
        return this.#calls.take(event);
      case "compaction":
        return this.#compacted(event.before_tokens, event.after_tokens);
      case "compaction_failed":
        return this.#voice.note(`The conversation could not be summed up: ${event.reason}`);
      case "error":
        this.#error = { message: event.message, code: event.code };
        return;
      case "hook":
        if (event.outcome === "passed") return;
        return this.#voice.note(
          `Hook ${event.event} ${event.outcome}: ${event.reason ?? event.command}`,
        );
      case "session":
      case "user":
      case "usage":
      case "left_out":
      case "egress":
      case "job":
      case "child":
      case "result":
        return;
      default:
        return event satisfies never;
    }
  }

  /** Tells how full the model's window is, and what the session cost. */
  tellUsage(agent: Agent): void {
    const { usedTokens: used, windowTokens: size } = agent.windowFill();
    if (size === undefined) return;
    const { cost_usd: amount } = agent.usage();
    const cost = amount === undefined ? {} : { cost: { amount, currency: "USD" } };
    void this.#voice.tell({ sessionUpdate: "usage_update", used, size, ...cost });
  }

  #beginMessage(): void {
    this.#message = this.#voice.newId("message");
    this.#told = { text: false, reasoning: false };
  }

  #chunk(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): void {
    if (text === "") return;
    const isThought = sessionUpdate === "agent_thought_chunk";
    const messageId = isThought ? `${this.#message}-thought` : this.#message;
    void this.#voice.tell({ sessionUpdate, messageId, content: { type: "text", text } });
  }

  #compacted(before: number, after: number): void {
    const sentence = `Older turns are summed up: about ${before} tokens became ${after}`;
    if (!this.#voice.editor.offers.compaction) return this.#voice.note(sentence);
    void this.#voice.tell({
      sessionUpdate: "compaction_update",
      compactionId: this.#voice.newId("compaction"),
      status: "completed",
      summary: [{ type: "text", text: sentence }],
    });
  }
}
