import { chatCompletions } from "./chat_completions.ts";
import { canConnect } from "./guarded_fetch.ts";
import { type Model, ModelError } from "./model.ts";
import type { Provider } from "./provider.ts";
import { realClock } from "./real_clock.ts";
import { responses } from "./responses.ts";
import type { Clock } from "./retry.ts";
import { scriptedModel } from "./scripted.ts";
import { serverModel } from "./server_model.ts";
import { createTransport, IDLE_LIMIT_MS } from "./transport.ts";
import type { WireOptions } from "./wire.ts";

const SCRIPT_PREFIX = "scripted:";

/** What a model is made from. Nothing is read from the environment. */
export interface ConnectOptions {
  /** As the person named it; `scripted:FILE` plays a file. */
  readonly name: string;
  readonly provider: Provider;
  readonly apiKey?: string;
  /** The bytes of an image; rejects with `Deno.errors.NotFound` where it is gone. */
  loadBlob(name: string): Promise<Uint8Array>;
  /** Reads the script. */
  readText(path: string): Promise<string>;
  readonly fetch?: typeof fetch;
  /**
   * Whether something listens at an address that is slow to answer; a connection of our own where
   * it is missing. Behind an HTTP proxy it must be given, since nothing is reached directly there.
   */
  readonly probe?: (url: URL) => Promise<boolean>;
  /** Time and chance; the real ones where they are missing. */
  readonly clock?: Partial<Clock>;
  /** How long a stream may be silent, in milliseconds; 300 s where it is missing. */
  readonly idleLimitMs?: number;
}

/**
 * The model of that name. No request is made before the first `ask`.
 * @throws {ModelError} "credentials" where the provider needs a key and none is given.
 */
export function createModel(options: ConnectOptions): Model {
  const { name, provider, apiKey } = options;
  if (name.startsWith(SCRIPT_PREFIX)) {
    const path = name.slice(SCRIPT_PREFIX.length);
    return scriptedModel(name, path, (file) => options.readText(file));
  }
  if (provider.keyRequired && !apiKey) throw missingKey(provider);
  const clock = { ...realClock(), ...options.clock };
  const wireOptions: WireOptions = {
    model: name,
    images: provider.images ?? true,
    loadBlob: (blob) => options.loadBlob(blob),
    newCallId: () => `call_${Math.floor(clock.random() * 2 ** 52).toString(36)}`,
    ...(provider.maxOutputTokens === undefined
      ? {}
      : { maxOutputTokens: provider.maxOutputTokens }),
  };
  const transport = createTransport({
    provider,
    fetch: options.fetch ?? globalThis.fetch,
    probe: options.probe ?? canConnect,
    clock,
    ...(apiKey ? { apiKey } : {}),
    idleLimitMs: options.idleLimitMs ?? IDLE_LIMIT_MS,
  });
  return serverModel({
    asked: { provider, model: name, hasKey: Boolean(apiKey) },
    wires: { chat: chatCompletions(wireOptions), responses: responses(wireOptions) },
    transport,
    clock,
  });
}

function missingKey({ name, keyVariable }: Provider): ModelError {
  const remedy = keyVariable ? `set ${keyVariable}` : "give one in the configuration";
  return new ModelError("credentials", `Cannot use ${name}: it wants a key, ${remedy}`);
}
