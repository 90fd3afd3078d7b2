import { createDialer, type Dialer } from "./dial.ts";
import type { EgressLog } from "./events.ts";
import type { EgressGate } from "./permission.ts";
import { type Duplex, isBroken } from "./relay.ts";
import { refuse, serveClient } from "./serve.ts";
import { listenAt } from "./socket.ts";

/** The way out of commands; disposing it breaks off what is open and leaves nothing behind. */
export interface EgressProxy extends AsyncDisposable {
  /** The unix socket on which it listens. */
  readonly path: string;
}

/** What a proxy is made of. */
export interface EgressProxyOptions {
  /** Where to listen, the first that is free; see {@linkcode socketPaths}. */
  readonly paths: readonly string[];
  readonly gate: EgressGate;
  readonly log: EgressLog;
  readonly dialer?: Dialer;
  /** Default {@linkcode MAX_CONNECTIONS}. */
  readonly maxConnections?: number;
  /** Default {@linkcode IDLE_MS}. */
  readonly idleMs?: number;
}

/** Browsers open 6 a host, npm 15 in all; more waits or is an attack. */
export const MAX_CONNECTIONS = 64;

/** Long polls and package servers that build something take minutes, in milliseconds. */
export const IDLE_MS = 300_000;

/**
 * Starts a proxy for HTTP (absolute form) and everything else (CONNECT): what the gate permits and
 * the dialer reaches passes, everything else is answered with a sentence.
 * @throws {Error} where no socket can be had.
 */
export async function startProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const { gate, log, dialer = createDialer(), idleMs = IDLE_MS } = options;
  const { maxConnections = MAX_CONNECTIONS } = options;
  const socket = await listenAt(options.paths);
  const closing = new AbortController();
  const open = new Set<Promise<void>>();
  let lastId = 0;
  const context = { gate, log, dialer, idleMs, signal: closing.signal, nextId: () => ++lastId };

  function serve(client: Duplex): void {
    const served =
      (open.size < maxConnections ? serveClient(client, context) : turnAway(client, log))
        .catch((error: unknown) => {
          // One connection's failure is no other's.
          const why = error instanceof Error ? error.message : String(error);
          const message = `Cannot serve a connection: ${why}`;
          log({ type: "refused", source: "command", reason: "unreachable", message });
        })
        .finally(() => open.delete(served));
    open.add(served);
  }

  const accepting = accept(socket.listener, serve);
  return {
    path: socket.path,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await socket[Symbol.asyncDispose]();
      await accepting;
      await Promise.all(open);
    },
  };
}

/** Ends when the listener is closed. */
async function accept(listener: Deno.UnixListener, serve: (client: Duplex) => void): Promise<void> {
  for await (const client of listener) serve(client);
}

async function turnAway(client: Duplex, log: EgressLog): Promise<void> {
  try {
    const message = "Cannot forward the request: too many connections are open";
    await refuse(client, { log }, undefined, { reason: "too_many_connections", message });
  } catch (error) {
    if (!isBroken(error)) throw error;
  } finally {
    client.close();
  }
}
