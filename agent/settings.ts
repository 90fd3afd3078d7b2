import type { Profile } from "../sandbox/rights/tier.ts";
import type { Recovery } from "../tools/explain_refusal.ts";
import type { BrowserSettings } from "./browser/choose_browser.ts";
import type { OptionValues } from "./command_line/options.ts";
import { DEFAULT_COMPACT_AT } from "./compaction/model_window.ts";
import { chooseProvider, given } from "./config/choose_provider.ts";
import type { Config } from "./config/schema.ts";
import type { ReadVariable } from "./environment.ts";
import type { ApprovalMode } from "./gate/gate.ts";
import { ConfigurationError } from "./json_file.ts";
import type { RunLimits } from "./loop/loop.ts";
import type { EmbeddingsSettings } from "./retrieval/embedder.ts";
import {
  type TelemetryChoice,
  telemetryChoice,
} from "./observation/telemetry/telemetry_settings.ts";
import { type Provider, providerFor, PROVIDERS } from "./model/provider.ts";
import { type SearchSettings, searchSettings } from "./search_settings.ts";

/** What a run goes by, once flags, variables and configuration are joined (in that order). */
export interface Settings {
  /** As its server calls it; undefined where nobody named one. */
  readonly model: string | undefined;
  readonly provider: Provider;
  readonly apiKey: string | undefined;
  readonly approval: ApprovalMode;
  readonly profile: Profile;
  /** Hosts of models that commands and tools may reach too. */
  readonly egress: readonly string[];
  /** As `--tools`; empty: the default set. */
  readonly tools: readonly string[];
  /** How the model writes its calls: by the server's function calling, or as blocks of its text. */
  readonly toolFormat: "native" | "markdown";
  readonly limits: RunLimits & { readonly timeoutMs?: number };
  /** The share of the model's window at which the conversation is compacted; false: never unasked. */
  readonly compactAt: number | false;
  /** Default time limit of a command; undefined: the tool's own. */
  readonly bashTimeoutMs: number | undefined;
  /** What an edit that misses shows of the file. */
  readonly recovery: Recovery | undefined;
  /** The search engines that can be asked, the first one first. */
  readonly search: readonly SearchSettings[];
  /** The model that makes vectors for searches; undefined: words alone decide. */
  readonly embeddings: EmbeddingsSettings | undefined;
  /** The browser that a person named. */
  readonly browser: BrowserSettings;
  /** The model that merges edits; undefined where none is known. */
  readonly applyModel: ApplyModelSettings | undefined;
  /** Whether traces were asked for, and where they go. */
  readonly telemetry: TelemetryChoice;
}

/** A model that merges edits. */
export interface ApplyModelSettings {
  readonly model: string;
  readonly provider: Provider;
  readonly apiKey: string | undefined;
  /** Whether a person configured it; a key alone sends no file anywhere. */
  readonly configured: boolean;
}

/**
 * Joins what was said on the command line, in variables and in the configuration file.
 * @throws {ConfigurationError} where a variable is no value of its kind.
 */
export function joinSettings(options: OptionValues, config: Config, env: ReadVariable): Settings {
  const { provider, model } = chooseProvider(options, config, env);
  const keyVariable = provider.keyVariable;
  return {
    model,
    provider,
    apiKey: keyVariable === undefined ? undefined : env(keyVariable) || undefined,
    approval: options.approval ?? config.approval ?? "on-escape",
    profile: options.profile ?? "workspace",
    egress: options.egress ?? [],
    tools: options.tools ?? config.tools ?? [],
    toolFormat: options["tool-format"] ?? config.tool_format ?? "native",
    limits: joinLimits(options, config),
    compactAt: config.compact_at ?? DEFAULT_COMPACT_AT,
    recovery: recoveryOf(env("CORDON_PATCH_RECOVERY")) ?? config.patch_recovery,
    applyModel: joinApplyModel(config, env),
    search: searchSettings(config, env),
    browser: browserSettings(config),
    embeddings: joinEmbeddings(config, env),
    telemetry: telemetryChoice(env),
    bashTimeoutMs: milliseconds("CORDON_BASH_TIMEOUT_MS", env) ?? config.bash_timeout_ms,
  };
}

function browserSettings({ browser = {} }: Config): BrowserSettings {
  return { ...given("path", browser.path), ...given("cdp", browser.cdp) };
}

/** Where the model's server is, as Deno writes a host with its port. */
export function hostOf({ baseUrl }: Pick<Provider, "baseUrl">): string {
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/** Where traces go, in the same form; undefined where nobody asked for them, or they cannot be had. */
export function collectorOf({ telemetry }: Pick<Settings, "telemetry">): string | undefined {
  return telemetry.kind === "on" ? hostOf({ baseUrl: telemetry.settings.url }) : undefined;
}

/** The file of a scripted model, or undefined for a real one. */
export function scriptOf(model: string | undefined): string | undefined {
  return model?.startsWith("scripted:") ? model.slice("scripted:".length) : undefined;
}

/** The model that OpenRouter has for this, used where nothing else is configured. */
const DEFAULT_APPLY_MODEL = "morph/morph-v3-large";

function joinApplyModel(config: Config, env: ReadVariable): ApplyModelSettings | undefined {
  const { apply_model: chosen } = config;
  const provider = chosen
    ? providerFor({
      ...given("baseUrl", chosen.base_url),
      overrides: given("keyVariable", chosen.env_key),
    })
    : PROVIDERS.openrouter;
  const apiKey = provider.keyVariable && (env(provider.keyVariable) || undefined);
  if (!chosen && apiKey === undefined) return undefined;
  const model = chosen?.model ?? DEFAULT_APPLY_MODEL;
  return { model, provider, apiKey, configured: chosen !== undefined };
}

function joinEmbeddings({ embeddings }: Config, env: ReadVariable): EmbeddingsSettings | undefined {
  if (!embeddings) return undefined;
  const provider = providerFor({
    ...given("baseUrl", embeddings.base_url),
    overrides: given("keyVariable", embeddings.env_key),
  });
  const apiKey = provider.keyVariable && (env(provider.keyVariable) || undefined);
  return {
    ...{ model: embeddings.model, provider },
    ...given("apiKey", apiKey),
    ...given("dimensions", embeddings.dimensions),
  };
}

function recoveryOf(text: string | undefined): Recovery | undefined {
  switch (text) {
    case undefined:
    case "":
      return undefined;
    case "1":
      return "file";
    case "0":
      return "none";
    default:
      throw new ConfigurationError(
        `Cannot use CORDON_PATCH_RECOVERY="${text}": it is 1 (the whole file) or 0 (no file text)`,
      );
  }
}

function joinLimits(options: OptionValues, config: Config): Settings["limits"] {
  const { timeout } = options;
  return {
    ...given("maxTurns", options["max-turns"] ?? config.max_turns),
    ...given("maxBudgetUsd", options["max-budget-usd"]),
    ...given("timeoutMs", timeout === undefined ? undefined : timeout * 1000),
  };
}

function milliseconds(name: string, env: ReadVariable): number | undefined {
  const text = env(name);
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new ConfigurationError(
    `Cannot use ${name}="${text}": it is a whole number of milliseconds, at least 1`,
  );
}
