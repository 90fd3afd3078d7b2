/** What the supervisor says among a command's standard error. */
export type Mark =
  /** The confinement stands, and the command runs next. */
  | { readonly kind: "started" }
  /** The command was not run. */
  | { readonly kind: "refused"; readonly why: string }
  /** The command has ended: how, and how many processes it left running. */
  | { readonly kind: "ended"; readonly left: number; readonly how: Ended };

/** By itself, by a signal, or after the time limit had passed. */
export type Ended = typeof ENDED[number];

const ENDED = ["exit", "signal", "limit"] as const;

/** No mark is longer, in bytes; what looks like one and goes on is output. */
const MAX_MARK_BYTES = 256;

/** The byte before and after the words of a mark. */
const NUL = 0;

/**
 * Takes the supervisor's marks out of a stream of bytes and hands on everything else. A mark is NUL,
 * the key, words, NUL. A command that looks at its supervisor can learn the key and forge marks; it
 * gains nothing, since the last mark counts and that is written when nothing else lives.
 */
export class MarkReader {
  readonly #key: Uint8Array;
  readonly #onBytes: (bytes: Uint8Array) => void;
  readonly #onMark: (mark: Mark) => void;
  #held = new Uint8Array(0);

  constructor(
    key: string,
    onBytes: (bytes: Uint8Array) => void,
    onMark: (mark: Mark) => void,
  ) {
    this.#key = new TextEncoder().encode(key);
    this.#onBytes = onBytes;
    this.#onMark = onMark;
  }

  write(bytes: Uint8Array): void {
    let rest = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
    this.#held = new Uint8Array(0);
    while (rest.length > 0) {
      const start = rest.indexOf(NUL);
      if (start < 0) return this.#onBytes(rest);
      if (start > 0) this.#onBytes(rest.subarray(0, start));
      rest = rest.subarray(start);
      const length = this.#markLength(rest);
      if (length === "more") {
        this.#held = rest.slice();
        return;
      }
      if (length === 0) this.#onBytes(rest.subarray(0, 1));
      else this.#take(rest.subarray(1 + this.#key.length, length - 1));
      rest = rest.subarray(length || 1);
    }
  }

  /** To be called at the end of the stream: what was held back as the start of a mark is output. */
  end(): void {
    if (this.#held.length > 0) this.#onBytes(this.#held);
    this.#held = new Uint8Array(0);
  }

  /** The length of the mark at the start of `bytes`; 0 where there is none. */
  #markLength(bytes: Uint8Array): number | "more" {
    const shown = bytes.subarray(1, 1 + this.#key.length);
    if (!shown.every((byte, index) => byte === this.#key[index])) return 0;
    if (shown.length < this.#key.length) return "more";
    const end = bytes.indexOf(NUL, 1);
    if (end < 0) return bytes.length < MAX_MARK_BYTES ? "more" : 0;
    return end + 1 > MAX_MARK_BYTES ? 0 : end + 1;
  }

  #take(words: Uint8Array): void {
    const mark = parseMark(new TextDecoder().decode(words));
    if (mark) this.#onMark(mark);
  }
}

function parseMark(text: string): Mark | undefined {
  const [word, ...rest] = text.split(" ");
  switch (word) {
    case "started":
      return { kind: "started" };
    case "refused":
      return { kind: "refused", why: rest.join(" ") };
    case "ended": {
      const [left = "", word] = rest;
      const how = ENDED.find((name) => name === word);
      if (how === undefined || !/^\d{1,6}$/.test(left)) return undefined;
      return { kind: "ended", left: Number(left), how };
    }
    default:
      return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
