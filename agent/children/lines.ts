/** A line that is longer is none of ours, in UTF-16 units: texts are cut long before. */
export const MAX_LINE_CHARS = 4 * 1024 * 1024;

/** A line of a text. */
export interface TextLine {
  /** Without its line feed. */
  readonly text: string;
  /** Whether it has one; the last line of a text may lack it. */
  readonly isWhole: boolean;
}

/** A line is longer than whoever reads it takes. */
export class LongLineError extends Error {
  override readonly name = "LongLineError";
  /** In UTF-16 units. */
  readonly maxChars: number;

  constructor(maxChars: number) {
    super(`Cannot read a line of over ${maxChars} characters`);
    this.maxChars = maxChars;
  }
}

/**
 * The lines of a stream of UTF-8, as they come; what follows the last line feed only where there is
 * something.
 * @throws {LongLineError} for a line of more than `maxChars` UTF-16 units.
 */
export async function* textLines(
  stream: ReadableStream<Uint8Array>,
  maxChars = MAX_LINE_CHARS,
): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder();
  // Pieces of a line are joined once: adding to one text would copy it for each.
  let pieces: string[] = [];
  let length = 0;
  for await (const bytes of stream) {
    const [first = "", ...more] = decoder.decode(bytes, { stream: true }).split("\n");
    hold(first);
    for (const piece of more) {
      const text = pieces.join("");
      pieces = [];
      length = 0;
      hold(piece);
      yield { text, isWhole: true };
    }
  }
  hold(decoder.decode());
  if (length > 0) yield { text: pieces.join(""), isWhole: false };

  function hold(piece: string): void {
    length += piece.length;
    if (length > maxChars) throw new LongLineError(maxChars);
    if (piece !== "") pieces.push(piece);
  }
}

/**
 * The JSON values of a stream, one a line; empty lines are passed over, and a last line that has no
 * end is torn and dropped.
 * @throws {Error} for a line that is no JSON, or longer than `maxChars`.
 */
export async function* jsonLines(
  stream: ReadableStream<Uint8Array>,
  maxChars = MAX_LINE_CHARS,
): AsyncGenerator<unknown> {
  for await (const { text, isWhole } of textLines(stream, maxChars)) {
    if (isWhole && text !== "") yield valueOf(text);
  }
}

function valueOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error(`Cannot read the line "${line.slice(0, 80)}": it is no JSON`, { cause });
  }
}
