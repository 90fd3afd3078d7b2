import { closeQuietly, isBroken, type Meter, relay } from "./relay.ts";

/** Carries TCP connections of a view's loopback to the proxy's socket; until disposed. */
export interface Forwarder extends AsyncDisposable {
  readonly port: number;
  /** Resolves once the listener is closed. */
  readonly ended: Promise<void>;
}

/** The proxy has the same limits and is the one to enforce them; in milliseconds. */
const IDLE_MS = 600_000;

const NO_METER: Meter = { up() {}, down() {} };

/** Listens on 127.0.0.1 and joins each connection with a new one to the unix socket at `path`. */
export function startForwarder(port: number, path: string): Forwarder {
  const listener = Deno.listen({ hostname: "127.0.0.1", port });
  const open = new Set<Deno.Conn>();
  const ended = (async () => {
    for await (const client of listener) void forwardOne(client, path, open);
  })();
  return {
    port: listener.addr.port,
    ended,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) closeQuietly(connection);
      await ended;
    },
  };
}

async function forwardOne(client: Deno.Conn, path: string, open: Set<Deno.Conn>): Promise<void> {
  open.add(client);
  try {
    const proxy = await Deno.connect({ transport: "unix", path });
    open.add(proxy);
    try {
      await relay(client, proxy, NO_METER, IDLE_MS);
    } finally {
      open.delete(proxy);
      closeQuietly(proxy);
    }
  } catch (error) {
    // The proxy ended with its session, or the client went away: either way this connection ends.
    const gone = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.ConnectionRefused;
    if (!gone && !isBroken(error)) throw error;
  } finally {
    open.delete(client);
    closeQuietly(client);
  }
}

/** The hidden first argument by which a program of ours runs as a forwarder. */
export const FORWARDER_ARGUMENT = "--run-as-forwarder";

/** The entry inside a view: `PORT SOCKET`. Serves until it is killed with its view. */
export async function runForwarder(args: readonly string[]): Promise<void> {
  const [port, path] = args;
  if (port === undefined || path === undefined || !/^\d{1,5}$/.test(port)) {
    throw new RangeError(`Cannot forward ${JSON.stringify(args)}: PORT and SOCKET are wanted`);
  }
  await startForwarder(Number(port), path).ended;
}

if (import.meta.main) await runForwarder(Deno.args);
