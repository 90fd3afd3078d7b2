import { onAbort, untilAborted } from "./abort.ts";
import { type Answered, readAnswer, unpacked } from "./answer_body.ts";
import { counter } from "./counted.ts";
import { createDialer, type Dialer } from "./dial.ts";
import type { EgressLog } from "./events.ts";
import { sendRequest } from "./exchange.ts";
import type { EgressGate } from "./permission.ts";
import { closeQuietly } from "./relay.ts";
import type { Target } from "./rules.ts";
import { secured } from "./secured.ts";

/** What a fetch under rules is made of. */
export interface StreamingFetchOptions {
  readonly gate: EgressGate;
  readonly log: EgressLog;
  readonly dialer?: Dialer;
  /** Certificates to trust besides the usual ones, as PEM. */
  readonly caCerts?: readonly string[];
}

/** As the Web's `fetch`, as far as clients of servers that were configured need it. */
export type StreamingFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Statuses whose answers have no body (Fetch standard). */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` under the rules of the gate, a connection of its own for each request; the body comes as
 * the server sends it. Redirects are answers, for whoever asks to follow or not. No cookie, credential
 * or proxy of this machine plays a part.
 * It throws a TypeError, as `fetch` does, where the rules refuse or the network fails.
 */
export function createStreamingFetch(options: StreamingFetchOptions): StreamingFetch {
  const { gate, log, dialer = createDialer(), caCerts = [] } = options;
  let lastId = 0;

  async function permitted(url: URL, signal: AbortSignal): Promise<Target> {
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    const permission = await untilAborted(gate.permit({ host: nameOf(url), port }), signal);
    if (permission.ok) return permission.target;
    const { target, reason, message } = permission;
    log({ type: "refused", source: "tool", ...target, reason, message });
    throw new TypeError(message);
  }

  async function ask(request: Request): Promise<Response> {
    const { signal, method } = request;
    const url = new URL(request.url);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const target = await permitted(url, signal);
    const dialed = await dialer.dial(target, signal);
    if (!dialed.ok) throw new TypeError(dialed.message);
    const of = { id: ++lastId, source: "tool", ...target } as const;
    log({ type: "opened", ...of, address: dialed.address });
    const counted = counter();
    const open = new DisposableStack();
    open.defer(() => {
      gate.countUp(counted.bytesUp);
      log({ type: "closed", ...of, bytesUp: counted.bytesUp, bytesDown: counted.bytesDown });
    });
    open.defer(() => closeQuietly(dialed.connection));
    open.use(onAbort(signal, () => closeQuietly(dialed.connection)));
    try {
      const connection = await secured(dialed.connection, url, target, caCerts);
      open.defer(() => closeQuietly(connection));
      open.use(onAbort(signal, () => closeQuietly(connection)));
      const through = counted.of(connection);
      const headers = Object.fromEntries(request.headers);
      await sendRequest(through, { url, method, headers, body }, "identity");
      const answered = await readAnswer(through, method);
      return responseOf(answered, open, signal);
    } catch (error) {
      open.dispose();
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      throw new TypeError(`Cannot fetch "${url.href}": ${why}`, { cause: error });
    }
  }

  return (url, init) => ask(new Request(url, init));
}

/** Loopback by its usual addresses is what rules know as `localhost`. */
function nameOf({ hostname }: URL): string {
  return hostname === "127.0.0.1" || hostname === "[::1]" ? "localhost" : hostname;
}

/** The answer; what is open is let go of when its body has ended, however that ends. */
function responseOf(answered: Answered, open: DisposableStack, signal: AbortSignal): Response {
  const headers = new Headers();
  for (const [name, value] of answered.head.fields) headers.append(name, value);
  const init = { status: answered.status, headers };
  if (NO_BODY.has(answered.status)) {
    open.dispose();
    return new Response(null, init);
  }
  const reader = unpacked(answered).getReader();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        open.dispose();
        controller.close();
      } catch (error) {
        open.dispose();
        controller.error(signal.aborted ? signal.reason : error);
      }
    },
    cancel() {
      // A read that waits for the server ends with its connection.
      open.dispose();
      reader.cancel().catch(() => {});
    },
  });
  return new Response(body, init);
}
