import { nearestNames } from "../../tools/nearest_name.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import { ConfigurationError } from "../json_file.ts";
import { type Provider, providerFor, PROVIDERS } from "../model/provider.ts";
import type { Config, ProviderConfig } from "./schema.ts";

/** The server that is asked, and the model as that server calls it. */
export interface ChosenProvider {
  readonly provider: Provider;
  readonly model: string | undefined;
}

/**
 * Chooses the server: `--provider`, `--base-url`, the profile that the model's name begins with,
 * `OPENAI_BASE_URL`, the configured `provider`, the keys of no profile; in this order. What is set
 * for one server goes to no other.
 * @throws {ConfigurationError} where there is no such profile.
 * @throws {ModelError} "configuration" where an address is none.
 */
export function chooseProvider(
  options: OptionValues,
  config: Config,
  env: ReadVariable,
): ChosenProvider {
  const named = options.model ?? config.model;
  const { provider: flag, "base-url": url } = options;
  if (flag !== undefined && url !== undefined) {
    throw new ConfigurationError("Cannot use --provider with --base-url: each names a server");
  }
  const prefix = flag ?? url ? undefined : profileIn(named, config);
  if (prefix !== undefined) {
    const model = named?.slice(prefix.length + 1);
    return { model, provider: profile(prefix, options, config) };
  }
  const baseUrl = url ?? (flag === undefined ? env("OPENAI_BASE_URL") || undefined : undefined);
  const name = flag ?? (baseUrl === undefined ? config.provider : undefined);
  if (name !== undefined) return { model: named, provider: profile(name, options, config) };
  return {
    model: named,
    provider: server(baseUrl === undefined ? config : { ...config, base_url: baseUrl }, options),
  };
}

/** The profile before the first slash of a model's name, where there is one of that name. */
export function profileIn(
  model: string | undefined,
  { providers = {} }: Config,
): string | undefined {
  const [name, rest] = [model?.split("/", 1)[0], model?.includes("/")];
  return rest && name !== undefined && Object.hasOwn(providers, name) ? name : undefined;
}

function profile(name: string, options: OptionValues, { providers = {} }: Config): Provider {
  if (Object.hasOwn(providers, name)) {
    // A profile that only adds to a server that is known by its name needs no address.
    const settings = { ...knownAddress(name), ...providers[name] };
    if (settings.base_url === undefined) {
      throw new ConfigurationError(`Cannot use provider "${name}": its profile has no "base_url"`);
    }
    return { ...server(settings, options), name };
  }
  const known = knownAddress(name);
  if (known) return server(known, options);
  const names = [...Object.keys(providers), ...Object.keys(PROVIDERS)];
  const guess = nearestNames(name, names)[0];
  const hint = guess ? `, did you mean "${guess}"` : `; there are ${names.join(", ")}`;
  throw new ConfigurationError(`Cannot use provider "${name}": there is none of that name${hint}`);
}

function knownAddress(name: string): { base_url: string } | undefined {
  const known: Readonly<Record<string, Provider>> = PROVIDERS;
  const baseUrl = Object.hasOwn(known, name) ? known[name]?.baseUrl : undefined;
  return baseUrl === undefined ? undefined : { base_url: baseUrl };
}

/** A server as configured; flags have the last word. */
function server(settings: ProviderConfig, options: OptionValues): Provider {
  const { prices } = settings;
  const overrides: Partial<Provider> = {
    ...given("keyVariable", settings.env_key),
    ...given("wire", options.wire ?? settings.wire),
    ...given("contextWindow", options["context-window"] ?? settings.context_window),
    ...given("maxTokensField", settings.max_tokens_field),
    ...given("maxOutputTokens", options["max-output-tokens"] ?? settings.max_output_tokens),
    ...given("headers", settings.headers),
    ...given("images", settings.images),
    ...(prices && {
      prices: {
        input: prices.input,
        cachedInput: prices.cached_input ?? prices.input,
        output: prices.output,
      },
    }),
  };
  return providerFor({ ...given("baseUrl", settings.base_url), overrides });
}

/** `{ [key]: value }`, or nothing where the value is undefined (exactOptionalPropertyTypes). */
export function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  // TypeScript types a computed key as `string`.
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
