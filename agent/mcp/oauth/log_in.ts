import { cleanLine } from "../../../tools/web/outside.ts";
import { hostOf, serverFetch, type WebParts } from "../http_way.ts";
import { loadSdk } from "../sdk.ts";
import type { HttpServer } from "../server_schema.ts";
import { VERSION } from "../../version.ts";
import { openCallback } from "./callback.ts";
import { StoredLogin } from "./provider.ts";
import type { TokenStore } from "./token_store.ts";

/** What logging in takes of the person's place. */
export interface LogInParts extends WebParts {
  readonly store: TokenStore;
  /** Shows the address that the person has to open. */
  readonly show: (url: URL) => void;
  /** Asks whether a host may be reached that logs people in; false where nobody can be asked. */
  readonly agrees: (host: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Whether a log-in was needed and done, or the server wants none. */
export type LoggedIn = "done" | "not_needed";

/**
 * Logs a person in to a server: anew, whatever was kept of an earlier time. The token is kept in the
 * state folder for sessions.
 * @throws {Error} in one sentence where that cannot be.
 */
export async function logIn(settings: HttpServer, parts: LogInParts): Promise<LoggedIn> {
  const { StreamableHTTPClientTransport, Client, UnauthorizedError } = await loadSdk();
  const { url, oauth } = settings;
  const { store, env, learn, signal } = parts;
  await using callback = openCallback(oauth?.callback_port ?? 0);
  const before = store.read(url);
  store.update(url, ({ hosts }) => ({ url, hosts }));
  const secret = oauth?.client_secret_env;
  const login = new StoredLogin({
    ...{ url, store, oauth },
    clientSecret: secret === undefined ? undefined : env(secret),
    redirectUrl: callback.url,
    authorize(address) {
      // A server could name a program by another scheme.
      if (!/^https?:$/.test(address.protocol)) throw new Error("its address is none of the web");
      parts.show(address);
    },
    learn: (value) => learn([{ name: "MCP token", value }]),
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: serverFetch(settings, before.hosts, parts, askForHost(url, parts)),
    requestInit: { headers: settings.headers ?? {} },
    authProvider: login,
  });
  const client = new Client({ name: "cordon", version: VERSION }, {
    versionNegotiation: { mode: "auto" },
  });
  try {
    await client.connect(transport, { signal });
    return login.tokens() ? "done" : "not_needed";
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw sentence(error);
    const came = await callback.parameters(login.state(), signal);
    const refusal = came.get("error");
    if (refusal !== null) throw new Error(`it was refused (${cleanLine(refusal)})`);
    try {
      await transport.finishAuth(came);
    } catch (failure) {
      throw sentence(failure);
    }
    return "done";
  } finally {
    await client.close();
    await transport.close();
  }
}

/** Asks for hosts beside the server's own, once each, and keeps those that the person agreed to. */
function askForHost(url: string, { agrees, store }: LogInParts) {
  return async (question: { kind: string; host: string; port?: number }): Promise<boolean> => {
    if (question.kind !== "host") return false;
    const host = hostOf(new URL(`https://${question.host}:${question.port ?? 443}`));
    if (!await agrees(host)) return false;
    store.update(url, (before) => ({ ...before, hosts: [...before.hosts, host] }));
    return true;
  };
}

function sentence(error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(cleanLine(why, 500), { cause: error });
}
