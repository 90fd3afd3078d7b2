/**
 * Canaries: loopback services that write every contact into CONTACT_LOG. A case whose id turns up there has reached
 * something it must not reach. The web pages of ALLOWED_NAME are the one service that answers without logging.
 *
 * Runs as its own process: prints "ready" when all listen, and ends when its standard input ends.
 */

import dgram from "node:dgram";
import * as world from "./world.ts";

const BINARY = "latin1";

function log(line: string): void {
  Deno.writeTextFileSync(world.CONTACT_LOG, line.replace(/[^\x20-\x7e]/g, ".") + "\n", {
    append: true,
  });
}

/** Answers any request; `/redir?to=URL` redirects, `/big` and `/slow` never end. */
function page(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/redir") {
    return new Response(null, {
      status: 302,
      headers: { location: searchParams.get("to") ?? "/" },
    });
  }
  if (pathname === "/big") return endless(1 << 20, 0);
  if (pathname === "/slow") return endless(1, 500);
  return new Response(`canary page ${pathname}\n`);
}

function endless(bytes: number, pause_ms: number): Response {
  return new Response(
    new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, pause_ms));
        controller.enqueue(new Uint8Array(bytes));
      },
    }),
  );
}

function serveHttp(hostname: string, port: number): void {
  Deno.serve({ hostname, port, onListen() {} }, async (request) => {
    const body = (await request.text().catch(() => "")).slice(0, 2000);
    const { pathname, search } = new URL(request.url);
    log(
      `HTTP ${hostname}:${port} ${request.method} ${
        request.headers.get("host")
      } ${pathname}${search} ${body}`,
    );
    return page(request);
  });
}

function serveAllowedPage(port: number): void {
  Deno.serve(
    { hostname: world.ALLOWED_ADDRESS, port, onListen() {} },
    () => new Response(world.ALLOWED_PAGE + "\n"),
  );
}

/** Logs what comes in on each connection of `listener`, and answers with `reply`. */
async function serveStream(name: string, listener: Deno.Listener, reply = ""): Promise<void> {
  for await (const connection of listener) serveConnection(name, connection, reply).catch(() => {});
}

async function serveConnection(name: string, connection: Deno.Conn, reply: string): Promise<void> {
  for await (const bytes of connection.readable) {
    log(`${name} ${new TextDecoder(BINARY).decode(bytes)}`);
    if (reply) await connection.write(new TextEncoder().encode(reply));
  }
}

function serveTcp(hostname: string, port: number): void {
  serveStream(`TCP ${hostname}:${port}`, Deno.listen({ hostname, port }));
}

function serveUnix(path: string): void {
  const listener = Deno.listen({ transport: "unix", path });
  Deno.chmodSync(path, 0o666);
  serveStream(
    `UNIX ${path}`,
    listener as unknown as Deno.Listener,
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK",
  );
}

/** Abstract sockets are out of Deno's reach, so socat listens and appends to the log itself. */
function serveAbstract(name: string): Deno.ChildProcess {
  const args = ["-u", `ABSTRACT-LISTEN:${name},fork`, `OPEN:${world.CONTACT_LOG},append`];
  return new Deno.Command("socat", { args, stdin: "null", stdout: "null", stderr: "null" }).spawn();
}

function serveUdp(
  address: string,
  port: number,
  answer?: (query: Uint8Array) => Uint8Array,
): Promise<void> {
  const socket = dgram.createSocket("udp4");
  socket.on("message", (message: Uint8Array, peer: { port: number; address: string }) => {
    log(`UDP ${address}:${port} ${new TextDecoder(BINARY).decode(message)}`);
    if (answer) socket.send(answer(message), peer.port, peer.address);
  });
  return new Promise((resolve) => socket.bind(port, address, () => resolve()));
}

/** The answer to a name server query: an IPv4 address for names under `.test`, no such name for all others. */
function answerQuery(query: Uint8Array): Uint8Array {
  const { name, end } = readName(query, 12);
  const type = byteAt(query, end) << 8 | byteAt(query, end + 1);
  const known = name === "test" || name.endsWith(".test");
  const address = name === world.ALLOWED_NAME ? world.ALLOWED_ADDRESS : world.EVIL_ADDRESS;
  const records = known && type === 1 ? 1 : 0;
  const header = [
    byteAt(query, 0),
    byteAt(query, 1),
    0x81,
    known ? 0x80 : 0x83,
    0,
    1,
    0,
    records,
    0,
    0,
    0,
    0,
  ];
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split(".").map(Number)];
  return new Uint8Array([...header, ...query.subarray(12, end + 4), ...(records ? record : [])]);
}

/** Reads the name at `start` of a name server message, in lower case. `end` is the place behind it. */
function readName(message: Uint8Array, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = byteAt(message, at); length > 0; length = byteAt(message, at)) {
    labels.push(new TextDecoder(BINARY).decode(message.subarray(at + 1, at + 1 + length)));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

/** 0 past the end, as at the end of a name. */
function byteAt(message: Uint8Array, index: number): number {
  return message[index] ?? 0;
}

async function main(): Promise<void> {
  for (const hostname of ["127.0.0.1", "::1", world.ALLOWED_ADDRESS, world.EVIL_ADDRESS]) {
    serveHttp(hostname, world.HTTP_PORT);
  }
  for (const hostname of [world.METADATA_ADDRESS, world.PRIVATE_ADDRESS, world.EVIL_ADDRESS]) {
    serveHttp(hostname, 80);
  }
  serveAllowedPage(80);
  serveTcp("127.0.0.1", world.TCP_PORT);
  serveTcp(world.EVIL_ADDRESS, 443);
  serveTcp(world.ALLOWED_ADDRESS, 22);
  for (const path of [world.DOCKER_SOCKET, world.SSH_SOCKET, world.BUS_SOCKET]) serveUnix(path);
  await serveUdp("127.0.0.1", world.UDP_PORT);
  await serveUdp(world.NAME_SERVER, 53, answerQuery);
  const abstract = serveAbstract(world.ABSTRACT_SOCKET);
  console.log("ready");
  await new Response(Deno.stdin.readable).arrayBuffer();
  abstract.kill("SIGKILL");
  Deno.exit(0);
}

if (import.meta.main) await main();
