import { onAbort, untilAborted } from "./abort.ts";
import { chunkedDecoder, encodeChunk } from "./chunked.ts";
import type { Dialer } from "./dial.ts";
import type { EgressLog } from "./events.ts";
import { type Framing, headBytes, type HeadRead, HttpSyntaxError, readHead } from "./head.ts";
import type { EgressGate } from "./permission.ts";
import {
  closeQuietly,
  copy,
  type Duplex,
  idleTimer,
  isBroken,
  type Meter,
  relay,
  writeAll,
} from "./relay.ts";
import { type ProxyRequest, proxyRequest } from "./request.ts";
import type { EgressRefusal, Target } from "./rules.ts";

/** What serving a connection needs. */
export interface ServeContext {
  readonly gate: EgressGate;
  readonly dialer: Dialer;
  readonly log: EgressLog;
  /** A connection on which nothing moves is ended after this. */
  readonly idleMs: number;
  /** Raised when the proxy closes. */
  readonly signal: AbortSignal;
  /** A number for the next connection's events. */
  nextId(): number;
}

/** A client writes its request at once; in milliseconds. */
const HEAD_LIMIT_MS = 10_000;

const STATUS: Record<EgressRefusal, string> = {
  bad_name: "403 Forbidden",
  bad_port: "403 Forbidden",
  denied: "403 Forbidden",
  unlisted: "403 Forbidden",
  upload_budget: "403 Forbidden",
  forbidden_address: "403 Forbidden",
  no_such_host: "502 Bad Gateway",
  unreachable: "502 Bad Gateway",
  bad_request: "400 Bad Request",
  too_many_connections: "503 Service Unavailable",
};

/** Serves one request on one connection, to its end; whatever else the client sends is dropped. */
export async function serveClient(client: Duplex, context: ServeContext): Promise<void> {
  using connections = new DisposableStack();
  connections.defer(() => closeQuietly(client));
  using _abort = onAbort(context.signal, () => closeQuietly(client));
  try {
    const request = await readRequest(client, context);
    if (!request) return;
    const permission = await untilAborted(context.gate.permit(request.target), context.signal);
    if (!permission.ok) return await refuse(client, context, permission.target, permission);
    const dialed = await context.dialer.dial(permission.target, context.signal);
    if (!dialed.ok) return await refuse(client, context, permission.target, dialed);
    connections.defer(() => closeQuietly(dialed.connection));
    using _abortServer = onAbort(context.signal, () => closeQuietly(dialed.connection));
    await serveServer(client, dialed, { ...request, target: permission.target }, context);
  } catch (error) {
    if (!isBroken(error) && !context.signal.aborted) throw error;
  }
}

type ReadRequest = ProxyRequest & { readonly rest: Uint8Array };

/** Undefined where the client said nothing, or nothing that is a request; it has been told. */
async function readRequest(
  client: Duplex,
  context: ServeContext,
): Promise<ReadRequest | undefined> {
  using _limit = idleTimer(HEAD_LIMIT_MS, () => closeQuietly(client));
  try {
    const read: HeadRead | undefined = await readHead(client);
    return read && { ...proxyRequest(read.head), rest: read.rest };
  } catch (error) {
    if (!(error instanceof HttpSyntaxError)) throw error;
    const message = `Cannot forward the request: ${error.message}`;
    await refuse(client, context, undefined, { reason: "bad_request", message });
    return undefined;
  }
}

async function serveServer(
  client: Duplex,
  { connection, address }: { readonly connection: Duplex; readonly address: string },
  request: ReadRequest,
  { gate, log, idleMs, nextId }: ServeContext,
): Promise<void> {
  const of = { id: nextId(), source: "command", ...request.target } as const;
  let [bytesUp, bytesDown] = [0, 0];
  const meter: Meter = {
    up(bytes) {
      bytesUp += bytes;
      gate.countUp(bytes);
    },
    down: (bytes) => bytesDown += bytes,
  };
  log({ type: "opened", ...of, address });
  try {
    if (request.kind === "tunnel") await tunnel(client, connection, request.rest, meter, idleMs);
    else await forward(client, connection, request, meter, idleMs);
  } finally {
    log({ type: "closed", ...of, bytesUp, bytesDown });
  }
}

async function tunnel(
  client: Duplex,
  server: Duplex,
  rest: Uint8Array,
  meter: Meter,
  idleMs: number,
): Promise<void> {
  await writeAll(client, new TextEncoder().encode("HTTP/1.1 200 Connection established\r\n\r\n"));
  await relay(withBytesBefore(client, rest), server, meter, idleMs);
}

/** Sends the request and its body; the answer passes as it is, until the server closes. */
async function forward(
  client: Duplex,
  server: Duplex,
  request: ReadRequest & { kind: "forward" },
  meter: Meter,
  idleMs: number,
): Promise<void> {
  using idle = idleTimer(idleMs, () => {
    closeQuietly(client);
    closeQuietly(server);
  });
  const counted: Meter = {
    up(bytes) {
      idle.touch();
      meter.up(bytes);
    },
    down(bytes) {
      idle.touch();
      meter.down(bytes);
    },
  };
  const head = headBytes(request.head);
  await writeAll(server, head);
  counted.up(head.length);
  const source = withBytesBefore(client, request.rest);
  const sent = sendBody(source, server, request.body, counted).then(() => discard(source));
  // A body that is malformed or torn must not reach its end: the server sees the connection break.
  const broken = sent.catch((error: unknown) => {
    closeQuietly(server);
    if (!isBroken(error) && !(error instanceof HttpSyntaxError)) throw error;
  });
  await copy(server, client, (count) => counted.down(count));
  await client.closeWrite();
  closeQuietly(client);
  await broken;
}

/**
 * Forwards exactly one body; chunks are made anew.
 * @throws {HttpSyntaxError} where the client's chunks break the grammar or the body is torn.
 */
async function sendBody(
  client: Duplex,
  server: Duplex,
  framing: Framing,
  meter: Meter,
): Promise<void> {
  if (framing.kind === "none") return;
  const decoder = framing.kind === "chunked" ? chunkedDecoder() : undefined;
  let left = framing.kind === "length" ? framing.bytes : Infinity;
  const buffer = new Uint8Array(64 * 1024);
  while (decoder ? !decoder.done : left > 0) {
    const count = await client.read(buffer.subarray(0, Math.min(buffer.length, left)));
    if (count === null) throw new HttpSyntaxError("its body is torn");
    const piece = buffer.subarray(0, count);
    if (!decoder) left -= count;
    for (const part of decoder ? decoder.push(piece).map(encodeChunk) : [piece]) {
      await writeAll(server, part);
      meter.up(part.length);
    }
  }
  if (decoder) await writeAll(server, encodeChunk(new Uint8Array()));
}

/** Reads on, so that a client which sends more is not reset before it has its answer. */
async function discard(client: Duplex): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  while (await client.read(buffer) !== null);
}

function withBytesBefore(connection: Duplex, bytes: Uint8Array): Duplex {
  let left = bytes;
  return {
    read(into) {
      if (left.length === 0) return connection.read(into);
      const part = left.subarray(0, into.length);
      into.set(part);
      left = left.subarray(part.length);
      return Promise.resolve(part.length);
    },
    write: (piece) => connection.write(piece),
    closeWrite: () => connection.closeWrite(),
    close: () => connection.close(),
    [Symbol.dispose]: () => connection.close(),
  };
}

/** Tells the client and the log why not. */
export async function refuse(
  client: Duplex,
  { log }: Pick<ServeContext, "log">,
  target: Target | undefined,
  { reason, message }: { readonly reason: EgressRefusal; readonly message: string },
): Promise<void> {
  log({ type: "refused", source: "command", ...target, reason, message });
  const body = new TextEncoder().encode(`${message}\n`);
  const fields = [
    ["Content-Type", "text/plain; charset=utf-8"],
    ["Content-Length", String(body.length)],
    ["Connection", "close"],
  ] as const;
  await writeAll(client, headBytes({ startLine: `HTTP/1.1 ${STATUS[reason]}`, fields }));
  await writeAll(client, body);
  await client.closeWrite();
}
