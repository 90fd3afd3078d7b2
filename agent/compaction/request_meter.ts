import type { Message } from "../messages.ts";
import type { ModelRequest, ToolSpec } from "../model/model.ts";

/** English and code come to about four characters a token; it is what counts until a server tells. */
const FIRST_RATIO = 1 / 4;
/** No text of ours has more or fewer tokens a character than this: what says so is no measure. */
const RATIO_BOUNDS = { least: 1 / 20, most: 3 } as const;

/** What an image counts as, in characters: servers charge some 1,000 tokens for one. */
const IMAGE_CHARACTERS = 4_000;
/** What names and braces around a message come to, in characters. */
const FRAME_CHARACTERS = 20;

/**
 * Estimates how many tokens a request has: its characters, times the ratio of the last request of
 * which the server told its tokens. So it is exact for what was sent already, and an estimate for
 * what has come since.
 */
export class RequestMeter {
  #ratio = FIRST_RATIO;
  readonly #messages = new WeakMap<Message, number>();
  readonly #schemas = new WeakMap<object, number>();

  tokensOf(request: ModelRequest): number {
    return this.#tokens(this.#characters(request));
  }

  tokensOfMessages(messages: readonly Message[]): number {
    return this.#tokens(this.charactersOfMessages(messages));
  }

  /** The same whatever servers told in between. */
  charactersOfMessages(messages: readonly Message[]): number {
    return messages.reduce((sum, message) => sum + this.#ofMessage(message), 0);
  }

  /** How many characters make so many tokens. */
  charactersFor(tokens: number): number {
    return Math.floor(tokens / this.#ratio);
  }

  /** Takes what a server counted of a request; 0 where it did not count. */
  learn(request: ModelRequest, tokens: number): void {
    const characters = this.#characters(request);
    if (tokens <= 0 || characters === 0) return;
    const { least, most } = RATIO_BOUNDS;
    this.#ratio = Math.min(most, Math.max(least, tokens / characters));
  }

  /** Takes that a request has more than so many tokens. */
  learnAtLeast(request: ModelRequest, tokens: number): void {
    if (this.tokensOf(request) < tokens) this.learn(request, tokens);
  }

  #tokens(characters: number): number {
    return Math.ceil(characters * this.#ratio);
  }

  #characters({ system, messages, tools }: ModelRequest): number {
    const ofTools = tools.reduce((sum, tool) => sum + this.#ofTool(tool), 0);
    return system.length + ofTools + this.charactersOfMessages(messages);
  }

  #ofTool({ name, description, parameters }: ToolSpec): number {
    let schema = this.#schemas.get(parameters);
    if (schema === undefined) {
      schema = JSON.stringify(parameters).length;
      this.#schemas.set(parameters, schema);
    }
    return name.length + description.length + schema + FRAME_CHARACTERS;
  }

  #ofMessage(message: Message): number {
    const known = this.#messages.get(message);
    if (known !== undefined) return known;
    const characters = FRAME_CHARACTERS + charactersIn(message);
    this.#messages.set(message, characters);
    return characters;
  }
}

function charactersIn(message: Message): number {
  if (message.role === "assistant") {
    const { text, toolCalls, reasoning } = message;
    return toolCalls.reduce(
      (sum, call) => sum + call.name.length + call.arguments.length + FRAME_CHARACTERS,
      text.length + (reasoning?.text.length ?? 0),
    );
  }
  return message.content.reduce(
    (sum, part) => sum + (part.type === "text" ? part.text.length : IMAGE_CHARACTERS),
    0,
  );
}
