import { createDialer, type Dialer } from "../../../sandbox/egress/dial.ts";
import type { EgressEvent } from "../../../sandbox/egress/events.ts";
import { type AskEgress, egressGate } from "../../../sandbox/egress/permission.ts";
import { startProxy } from "../../../sandbox/egress/proxy.ts";
import type { EgressRules } from "../../../sandbox/egress/rules.ts";
import { socketPaths } from "../../../sandbox/egress/socket.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

/** A dialer for which `.test` names lead to this machine, and this machine is not forbidden. */
export function testDialer(addresses: Readonly<Record<string, string[]>> = {}): Dialer {
  return createDialer({
    resolve: (host) =>
      Promise.resolve(addresses[host] ?? (host.endsWith(".test") ? ["127.0.0.1"] : [])),
    forbidden: (address) => address === "127.0.0.1" ? undefined : "not of this test",
  });
}

/** A running proxy with what it logged. */
export interface TestProxy extends AsyncDisposable {
  readonly path: string;
  readonly events: EgressEvent[];
}

/** Starts a proxy in a folder of its own. */
export async function testProxy(
  rules: EgressRules,
  options: {
    ask?: AskEgress;
    dialer?: Dialer;
    maxConnections?: number;
    idleMs?: number;
    uploadBudgetBytes?: number;
  } = {},
): Promise<TestProxy> {
  const { ask, uploadBudgetBytes, ...rest } = options;
  const dir = await tempDir();
  const events: EgressEvent[] = [];
  const gate = egressGate({
    rules,
    ...(ask && { ask }),
    ...(uploadBudgetBytes !== undefined && { uploadBudgetBytes }),
  });
  const paths = socketPaths(dir.path);
  const log = (event: EgressEvent) => void events.push(event);
  const proxy = await startProxy({ paths, gate, log, dialer: testDialer(), ...rest });
  return {
    path: proxy.path,
    events,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Everything that comes on a connection until its end, a character a byte. */
export async function readAll(connection: Deno.Conn): Promise<string> {
  let text = "";
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (let n = await connection.read(buffer); n !== null; n = await connection.read(buffer)) {
      text += Array.from(buffer.subarray(0, n), (byte) => String.fromCharCode(byte)).join("");
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
  }
  return text;
}

/** Writes text, a byte a character, whole. */
export async function send(connection: Deno.Conn, text: string): Promise<void> {
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** Sends one text to the proxy and answers with all that comes back. */
export async function talk(path: string, text: string): Promise<string> {
  using connection = await Deno.connect({ transport: "unix", path });
  await send(connection, text);
  return await readAll(connection);
}

/** A plain TCP server: `serve` gets each connection, which is closed after it. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  /** How many connections have come. */
  readonly connections: number;
}

/** Listens on a free port of 127.0.0.1. */
export function tcpServer(serve: (connection: Deno.TcpConn) => Promise<void>): TestServer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Promise<void>>();
  let connections = 0;
  const accepting = (async () => {
    for await (const connection of listener) {
      connections++;
      const served = serve(connection).catch(ignoreClosed).finally(() => {
        closeOnce(connection);
        open.delete(served);
      });
      open.add(served);
    }
  })();
  return {
    port: listener.addr.port,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      await Promise.all(open);
    },
  };
}

function ignoreClosed(error: unknown): void {
  const gone = error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.BadResource;
  if (!gone) throw error;
}

function closeOnce(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

/** A server that keeps what it was sent and answers `answer` once a head has come. */
export function recordingServer(
  answer: string,
): TestServer & { readonly received: string[] } {
  const received: string[] = [];
  const server = tcpServer(async (connection) => {
    const index = received.push("") - 1;
    const buffer = new Uint8Array(4096);
    while (!received[index]?.includes("\r\n\r\n")) {
      const n = await connection.read(buffer);
      if (n === null) return;
      received[index] += new TextDecoder().decode(buffer.subarray(0, n));
    }
    await send(connection, answer);
    await connection.closeWrite();
    received[index] += await readAll(connection);
  });
  return {
    received,
    port: server.port,
    get connections() {
      return server.connections;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
