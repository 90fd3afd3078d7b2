import type { Client, ListChangedHandlers } from "@modelcontextprotocol/client";
import { VERSION } from "../version.ts";
import { loadSdk } from "./sdk.ts";
import type { Connected, Way } from "./way.ts";

/** A client that is connected, until one side ends it. */
export interface OpenClient {
  readonly client: Client;
  readonly protocol: string;
  /** As in {@linkcode Connected}. */
  lastWords(): string;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
}

/** Which of a server's lists have changed. */
export type ChangedList = "tools" | "prompts" | "resources";

/** How a client is opened. */
export interface OpenClientOptions {
  /** For all of it, in milliseconds. */
  readonly timeoutMs: number;
  /** Gives it up. */
  readonly signal: AbortSignal;
  readonly onChange: (list: ChangedList) => void;
}

/** The revision without a handshake; servers that know nothing else refuse `initialize`. */
const WITHOUT_HANDSHAKE = "2026-07-28";

/** Lists that change many times at once are read once, in milliseconds. */
const DEBOUNCE_MS = 100;

/**
 * Connects to a server. A program is asked by `initialize` first, since older ones end or stay
 * silent on anything else before it; only one that refuses it is asked again, as a new process, by
 * the revision without. On the web the newest revision is tried first.
 * @throws {Error} in one sentence, with what the server said beside the protocol.
 */
export async function openClient(way: Way, options: OpenClientOptions): Promise<OpenClient> {
  const { ProtocolError } = await loadSdk();
  if (way.kind === "http") return await openOnce(way, "auto", options);
  try {
    return await openOnce(way, "legacy", options);
  } catch (error) {
    const refused = error instanceof Error ? error.cause : undefined;
    if (!(refused instanceof ProtocolError)) throw error;
    return await openOnce(way, { pin: WITHOUT_HANDSHAKE }, options);
  }
}

async function openOnce(
  way: Way,
  mode: "auto" | "legacy" | { readonly pin: string },
  { timeoutMs, signal, onChange }: OpenClientOptions,
): Promise<OpenClient> {
  const { Client } = await loadSdk();
  const client = new Client({ name: "cordon", version: VERSION }, {
    capabilities: {},
    versionNegotiation: { mode },
    listChanged: changeHandlers(onChange),
  });
  const closed = Promise.withResolvers<void>();
  client.onclose = () => closed.resolve();
  // What cannot be read is told by the call that waits for it.
  client.onerror = () => {};
  const connected = await way.open();
  try {
    const limits = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal };
    await client.connect(connected.transport, limits);
  } catch (error) {
    await connected.transport.close();
    throw new Error(sentence(error, connected), { cause: error });
  }
  return {
    client,
    protocol: client.getNegotiatedProtocolVersion() ?? "unknown",
    lastWords: () => connected.lastWords(),
    closed: closed.promise,
  };
}

function changeHandlers(onChange: OpenClientOptions["onChange"]): ListChangedHandlers {
  const handler = (list: ChangedList) => ({
    autoRefresh: false,
    debounceMs: DEBOUNCE_MS,
    onChanged: () => onChange(list),
  });
  return {
    tools: handler("tools"),
    prompts: handler("prompts"),
    resources: handler("resources"),
  };
}

function sentence(error: unknown, { lastWords }: Connected): string {
  const why = error instanceof Error ? error.message : String(error);
  const words = lastWords();
  return words === "" ? why : `${why} (${words})`;
}
