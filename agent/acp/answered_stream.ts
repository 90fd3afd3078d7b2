import type { AnyMessage, AnyRequest, Stream } from "@agentclientprotocol/sdk";
import { Unanswered } from "../unanswered.ts";

/**
 * The same stream, in which messages are taken up one after the other, and whose end waits until every
 * request that came before it has its answer, as long as the other side takes any: a connection that
 * is closed drops what is not written yet. `onEnd` is called when nothing more will come.
 */
export function answeredStream({ readable, writable }: Stream, onEnd: () => void): Stream {
  const unanswered = new Unanswered();
  const writer = writable.getWriter();
  return {
    readable: readable.pipeThrough(
      new TransformStream<AnyMessage, AnyMessage>({
        async transform(message, controller) {
          if (isRequest(message)) unanswered.came(message.id);
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
        await unanswered.written(writer.write(message));
        if ("id" in message && !("method" in message)) unanswered.answered(message.id);
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

/** What the connection takes for a request; all else gets no answer, or one with the id null. */
function isRequest(message: AnyMessage): message is AnyRequest {
  if (!("method" in message && "id" in message)) return false;
  const { jsonrpc, method, id } = message;
  const isId = typeof id === "string" || Number.isFinite(id);
  return jsonrpc === "2.0" && typeof method === "string" && isId;
}
