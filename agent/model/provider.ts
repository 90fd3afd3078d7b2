import { ModelError } from "./model.ts";
import type { Usage } from "../messages.ts";

/** A server that answers for models, and how it wants to be spoken to. */
export interface Provider {
  /** As people call it: `openai`, or the host of an unknown server. */
  readonly name: string;
  /** Without a slash at its end; request paths are appended to it. */
  readonly baseUrl: string;
  /** The environment variable that holds the key. */
  readonly keyVariable?: string;
  /** Whether a request without a key is pointless. */
  readonly keyRequired: boolean;
  /** `auto`: Chat Completions first, the Responses API where the server says so. */
  readonly wire: "chat" | "responses" | "auto";
  /** Tokens that a request and its answer may have together. */
  readonly contextWindow?: number;
  /** How the server spells the limit of an answer; Chat Completions only. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Limit of one answer in tokens; the server's own where it is missing. */
  readonly maxOutputTokens?: number;
  readonly prices?: Prices;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether images may be sent; true where it is missing. */
  readonly images?: boolean;
}

/** In US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/** Servers that Cordon knows by name. No prices: they belong to models and change. */
export const PROVIDERS = {
  openai: {
    name: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    keyRequired: true,
    wire: "responses",
    maxTokensField: "max_completion_tokens",
  },
  openrouter: {
    name: "openrouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    keyRequired: true,
    wire: "chat",
    maxTokensField: "max_tokens",
  },
  ollama: {
    name: "ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    keyRequired: false,
    wire: "chat",
    maxTokensField: "max_tokens",
  },
} as const satisfies Record<string, Provider>;

/**
 * The provider at `baseUrl` (OpenAI without one): known by its host, otherwise one that may or may
 * not want a key. `overrides` come from flags and config and win over the table.
 * @throws {ModelError} "configuration" where the address is no http(s) URL.
 */
export function providerFor(
  options: { baseUrl?: string; overrides?: Partial<Provider> } = {},
): Provider {
  const { baseUrl, ...overrides } = options.overrides ?? {};
  const address = options.baseUrl ?? baseUrl;
  if (address === undefined) return { ...PROVIDERS.openai, ...overrides };
  const url = parseAddress(address);
  return { ...knownOrGeneric(url), baseUrl: address.replace(/\/+$/, ""), ...overrides };
}

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new ModelError(
    "configuration",
    `Cannot use base URL "${address}": not an address like https://host/v1`,
  );
}

function knownOrGeneric(url: URL): Provider {
  for (const provider of Object.values(PROVIDERS)) {
    const known = new URL(provider.baseUrl);
    const same = known.host === url.host || isLoopback(known) && isLoopback(url) &&
        known.port === url.port;
    if (same) return provider;
  }
  return {
    name: url.host,
    baseUrl: url.href,
    keyVariable: "OPENAI_API_KEY",
    keyRequired: false,
    wire: "auto",
    maxTokensField: "max_tokens",
  };
}

function isLoopback(url: URL): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
}

/** What an answer cost in US dollars; undefined where no prices are known. */
export function costOf(usage: Usage, prices: Prices | undefined): number | undefined {
  if (!prices) return undefined;
  const fresh = Math.max(0, usage.inputTokens - usage.cachedInputTokens);
  const perMillion = fresh * prices.input + usage.cachedInputTokens * prices.cachedInput +
    usage.outputTokens * prices.output;
  return perMillion / 1_000_000;
}
