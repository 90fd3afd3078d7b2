import { encodeMessage } from "./frames.ts";

/** Writes messages to a stream, one whole message after the other. */
export class Sender {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #last: Promise<void> = Promise.resolve();

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
  }

  /**
   * Resolves when the message is written; rejects where the other side reads no more. `isWanted`
   * is asked when its turn has come.
   * @throws {RangeError} where it is larger than a message may be; nothing of it was sent.
   */
  send(head: unknown, body?: Uint8Array, isWanted = () => true): Promise<void> {
    const frames = encodeMessage(head, body);
    const sent = this.#last.then(() => isWanted() ? this.#write(frames) : undefined);
    // A failed message is the sender's to know; those after it fail by themselves.
    this.#last = sent.catch(() => {});
    return sent;
  }

  async #write(frames: Iterable<Uint8Array>): Promise<void> {
    for (const frame of frames) await this.#writer.write(frame);
  }

  /** Tells the other side that nothing more comes, after what was sent before. */
  async close(): Promise<void> {
    await this.#last;
    await this.#writer.close();
  }
}
