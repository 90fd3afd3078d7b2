import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";

/**
 * The same stream, in which messages are taken up one after the other, and whose end waits until every
 * request that came before it has its answer: a connection that is closed drops what is not written
 * yet. `onEnd` is called when nothing more will come.
 */
export function answeredStream({ readable, writable }: Stream, onEnd: () => void): Stream {
  const unanswered = new Unanswered();
  const writer = writable.getWriter();
  return {
    readable: readable.pipeThrough(
      new TransformStream<AnyMessage, AnyMessage>({
        async transform(message, controller) {
          unanswered.noteCame(message);
          controller.enqueue(message);
          if ("method" in message) await takenUp();
        },
        async flush() {
          onEnd();
          await unanswered.none();
        },
      }),
    ),
    writable: new WritableStream<AnyMessage>({
      async write(message) {
        try {
          await writer.write(message);
          unanswered.noteWritten(message);
        } catch (error) {
          unanswered.giveUp();
          throw error;
        }
      },
    }),
  };
}

/**
 * Handlers of a connection look at a message one by one, a tick each, so that a `cancel` could be
 * looked at before the prompt that came before it, or after the one that came after it.
 */
function takenUp(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Counts the requests of the other side that have no answer yet. */
class Unanswered {
  #count = 0;
  #waiting: PromiseWithResolvers<void> | undefined;

  /** Resolves when there is none, or nothing can be written any more. */
  none(): Promise<void> {
    if (this.#count <= 0) return Promise.resolve();
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  noteCame(message: AnyMessage): void {
    if (isRequest(message)) this.#count++;
  }

  /** Each request gets one answer; an answer to what was no request has the id null. */
  noteWritten(message: AnyMessage): void {
    if (!("id" in message) || "method" in message || message.id === null) return;
    if (--this.#count <= 0) this.#waiting?.resolve();
  }

  giveUp(): void {
    this.#count = 0;
    this.#waiting?.resolve();
  }
}

/** What the connection takes for a request; all else gets no answer, or one with the id null. */
function isRequest(message: AnyMessage): boolean {
  if (!("method" in message && "id" in message)) return false;
  const { jsonrpc, method, id } = message;
  const isId = typeof id === "string" || Number.isFinite(id);
  return jsonrpc === "2.0" && typeof method === "string" && isId;
}
