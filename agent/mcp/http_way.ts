import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createDialer } from "../../sandbox/egress/dial.ts";
import { type AskEgress, egressGate } from "../../sandbox/egress/permission.ts";
import { createStreamingFetch, type StreamingFetch } from "../../sandbox/egress/streaming_fetch.ts";
import { egressRules } from "../egress.ts";
import type { Launch } from "../launch.ts";
import { StoredLogin } from "./oauth/provider.ts";
import { TokenStore } from "./oauth/token_store.ts";
import type { PreparedServer, PrepareParts } from "./prepare_server.ts";
import { loadSdk } from "./sdk.ts";
import type { HttpServer } from "./server_schema.ts";
import type { McpServer } from "./servers.ts";
import type { Way } from "./way.ts";

/** What reaching a server on the web takes. */
export interface WebParts extends Pick<PrepareParts, "log" | "env" | "learn"> {
  readonly launch: Pick<Launch, "grants" | "settings" | "places">;
}

/** A callback that nobody waits at: sessions refresh tokens, and log nobody in. */
const NO_CALLBACK = "http://127.0.0.1/callback";

/**
 * The way to a server on the web: its own host, those that were named beside it and those that the
 * person agreed to when they logged in; no other is reached.
 */
export function httpWay(
  server: McpServer,
  settings: HttpServer,
  parts: WebParts,
): Pick<PreparedServer, "way" | "warnings" | typeof Symbol.asyncDispose> {
  const { state } = parts.launch.places;
  const store = state === undefined ? undefined : new TokenStore(state);
  const login = store?.read(settings.url);
  const fetch = serverFetch(settings, login?.hosts ?? [], parts);
  const auth = store && login?.tokens ? sessionLogin(server, settings, store, parts) : undefined;
  const way: Way = {
    kind: "http",
    async open() {
      const { StreamableHTTPClientTransport } = await loadSdk();
      let status = 0;
      const watched: StreamingFetch = async (url, init) => {
        const response = await fetch(url, init);
        status = response.status;
        return response;
      };
      const transport = new StreamableHTTPClientTransport(new URL(settings.url), {
        fetch: watched,
        requestInit: { headers: settings.headers ?? {} },
        ...(auth && { authProvider: auth }),
      });
      tellBrokenAnswers(transport);
      return { transport, lastWords: () => status === 401 ? wantsLogin(server) : "" };
    },
  };
  return { way, warnings: [], [Symbol.asyncDispose]: () => Promise.resolve() };
}

/**
 * Each request has a stream for its answer, which may end before it: without a word of that the
 * request would wait for its limit.
 */
function tellBrokenAnswers(transport: StreamableHTTPClientTransport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    send(message, {
      ...options,
      onRequestStreamEnd() {
        options?.onRequestStreamEnd?.();
        if (Array.isArray(message) || !("id" in message) || !("method" in message)) return;
        // Where the answer has come, nobody waits for this one.
        const error = { code: BROKEN_OFF, message: "it broke off its answer" };
        transport.onmessage?.({ jsonrpc: "2.0", id: message.id, error });
      },
    });
}

/** In the range that JSON-RPC leaves to implementations. */
const BROKEN_OFF = -32000;

function wantsLogin({ name }: Pick<McpServer, "name">): string {
  return `it wants a log-in: cordon mcp login ${name}`;
}

/** A fetch that reaches a server's own host, and others that were agreed to. */
export function serverFetch(
  { url, network = [] }: HttpServer,
  hosts: readonly string[],
  { launch, log }: Pick<WebParts, "launch" | "log">,
  ask?: AskEgress,
): StreamingFetch {
  const allow = [hostOf(new URL(url)), ...network, ...hosts];
  const { deny = [] } = egressRules(launch);
  return createStreamingFetch({
    gate: egressGate({ rules: { allow, deny }, ...(ask && { ask }) }),
    log,
    dialer: createDialer({ granted: allow, denied: deny }),
  });
}

/** As rules write a host; loopback by its usual addresses is `localhost`. */
export function hostOf({ hostname, port, protocol }: URL): string {
  const local = hostname === "127.0.0.1" || hostname === "[::1]";
  return `${local ? "localhost" : hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/** A log-in that lasts: its token is refreshed, and where that fails the person has to come again. */
function sessionLogin(
  { name }: McpServer,
  { url, oauth }: HttpServer,
  store: TokenStore,
  { env, learn }: WebParts,
): StoredLogin {
  const variable = oauth?.client_secret_env;
  return new StoredLogin({
    ...{ url, store, oauth },
    clientSecret: variable === undefined ? undefined : env(variable),
    redirectUrl: NO_CALLBACK,
    authorize: () => {
      throw new Error(wantsLogin({ name }));
    },
    learn: (value) => learn([{ name: `token of ${name}`, value }]),
  });
}
