import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { OptionValues } from "../../command_line/options.ts";
import { VERSION } from "../../version.ts";
import { type HeadlessOptions, openHeadlessGround } from "../headless_ground.ts";
import { LineTransport } from "../line_transport.ts";
import { SERVED_BY_DEFAULT, type ServedTools, servedTools } from "./served_tools.ts";

/** The streams of a client, and what stops serving it. */
export interface Client {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly signal: AbortSignal;
}

/**
 * Serves our tools to another agent over two streams, by the revisions of the protocol that it speaks;
 * resolves when the client has left or the signal is raised, to what broke the connection where it is
 * not that. Nothing but the protocol is written.
 * @throws what opening the ground does.
 */
export async function serveTools(
  options: OptionValues,
  host: HeadlessOptions,
  { readable, writable, signal }: Client,
): Promise<Error | undefined> {
  const { deserializeMessage, Server } = await import("@modelcontextprotocol/server");
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  await using ground = await openHeadlessGround({ ...options, tools: toolsFor(options) }, host);
  const tools = servedTools(ground, (error) => ground.warn(String(error)));
  const left = Promise.withResolvers<void>();
  let broken: Error | undefined;
  const transport = new LineTransport({ readable, writable }, {
    parse: deserializeMessage,
    onRubbish: () => ground.warn("the client sent a line that is no message"),
    answersAll: true,
    end: () => Promise.resolve(left.resolve()),
  });
  const handle = serveStdio(() => serverOf(new Server(IDENTITY, CAPABILITIES), tools), {
    transport,
    onerror(error) {
      if (error instanceof RangeError) broken = error;
    },
  });
  signal.addEventListener("abort", () => left.resolve(), { once: true });
  if (!signal.aborted) await left.promise;
  await handle.close();
  return broken;
}

const IDENTITY = { name: "cordon", version: VERSION };
const CAPABILITIES = { capabilities: { tools: {} } };

function serverOf(server: Server, tools: ServedTools): Server {
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.listed] }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params;
    return tools.call(name, args, mcpReq.signal, teller(mcpReq));
  });
  return server;
}

/** Tells a client that asked for it how far a call is. */
function teller({ _meta, notify }: ServerContext["mcpReq"]): (message: string) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    const params = { progressToken, progress: ++progress, message };
    // A client that has left needs no news.
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

/** The tools that are served: those that `--tools` names, `+name` beside what is served anyway. */
function toolsFor({ tools = [] }: OptionValues): readonly string[] {
  const plain = tools.some((item) => !/^[+-]/.test(item));
  return plain ? tools : [...SERVED_BY_DEFAULT, ...tools];
}
