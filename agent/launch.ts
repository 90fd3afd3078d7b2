import { resolve } from "node:path";
import {
  type Extent,
  type Grants,
  grantsOf,
  type Kind,
  KINDS,
  type RightFlags,
} from "../sandbox/rights/grants.ts";
import {
  commandEnvironment,
  type Environment,
  HOST_VARIABLES,
} from "../sandbox/commands/environment.ts";
import { queryRuntime, revokeKinds } from "../sandbox/rights/runtime.ts";
import { builtinTools, DEFAULT_TOOLS } from "../tools/mod.ts";
import type { Tool } from "../tools/tool.ts";
import { agreedApplyHosts } from "./agreements.ts";
import type { OptionValues } from "./command_line/options.ts";
import { UsageError } from "./command_line/parse.ts";
import { loadConfig, type LoadedConfig } from "./config/load.ts";
import type { ReadVariable } from "./environment.ts";
import { namesServers } from "./mcp/servers.ts";
import { nearestNames } from "../tools/nearest_name.ts";
import { findPlaces, type Places } from "./places.ts";
import { readParts } from "./program_parts.ts";
import { type Display, displayOf } from "./screen/display.ts";
import type { TelemetrySettings } from "./observation/telemetry/telemetry_settings.ts";
import { usableTelemetry } from "./observation/telemetry/usable_telemetry.ts";
import { collectorOf, hostOf, joinSettings, scriptOf, type Settings } from "./settings.ts";
import { searchEngines } from "./search_engines.ts";
import { selectTools } from "./toolbox.ts";

/** Everything that is settled before a session begins: where, by what settings, with what rights. */
export interface Launch {
  readonly places: Places;
  readonly settings: Settings;
  readonly configuration: LoadedConfig;
  readonly grants: Grants;
  /** Every tool that there is. */
  readonly catalogue: readonly Tool[];
  /** Names of those that a person, or the default set, switched on. */
  readonly selected: ReadonlySet<string>;
  /** Where traces go; absent: nowhere. */
  readonly telemetry?: TelemetrySettings;
  /** Whether files may be sent to the model that merges edits. */
  readonly applyModel: boolean;
  /** The whole environment of commands. */
  readonly environment: Environment;
  /** The display of the person; absent: there is none. Commands do not get its variables. */
  readonly display?: Display;
  /** Sentences that a person should read, as unknown keys in the configuration. */
  readonly warnings: readonly string[];
}

/**
 * Works out a run from its options, variables and configuration file, and gives up the kinds of
 * rights that it does not need.
 * @throws {UsageError} for options that cannot be met.
 * @throws {ConfigurationError} for a configuration file or variable that cannot be used.
 * @throws {ModelError} "configuration" for a base URL that is none.
 */
export async function prepareLaunch(
  options: OptionValues,
  env: ReadVariable,
  cwd: string,
): Promise<Launch> {
  const places = findPlaces(options, env, cwd);
  const configuration = loadConfig(places);
  const { config, warnings } = configuration;
  const settings = joinSettings(options, config, env);
  const grants = joinGrants(options, settings, places, cwd);
  const { settings: telemetry, warnings: untraced } = usableTelemetry(
    settings.telemetry,
    collectorOf(settings),
    (host) => allowsByDefault(host, options, places, cwd),
  );
  const environment = commandEnvironment(hostVariables(env));
  const display = displayOf(env, Deno.build.os);
  const hasServers = namesServers(configuration);
  const keep = (kind: Kind) =>
    isUsed(kind, grants, settings, options, hasServers) ||
    (kind === "net" && telemetry !== undefined);
  if (!keep("read")) await readParts();
  // From here on this process has no more rights than the run needs.
  revokeKinds(keep);
  const catalogue = builtinTools({
    bashTimeoutMs: settings.bashTimeoutMs,
    ...(settings.recovery && { recovery: settings.recovery }),
    search: searchEngines(settings),
  });
  const known = catalogue.map(({ name }) => name);
  const selection = selectTools(settings.tools, known, DEFAULT_TOOLS);
  if (!selection.ok) throw unknownTool(selection.unknown, known);
  const selected = selection.names;
  const applyModel = mayMerge(settings, places);
  return {
    ...{ places, settings, configuration, grants, environment },
    warnings: [...warnings, ...untraced],
    ...(telemetry && { telemetry }),
    ...{ catalogue, selected, applyModel },
    ...(display && { display }),
  };
}

/** Whether files may be sent to the model that merges: it is configured, or was agreed to once. */
export function mayMerge({ applyModel }: Settings, { state }: Places): boolean {
  if (!applyModel) return false;
  return applyModel.configured || agreedApplyHosts(state).includes(hostOf(applyModel.provider));
}

/** Whether this run may keep things in the state folder. */
export function keepsState({ places: { state }, grants }: Launch): boolean {
  return state !== undefined && grants.allows("write", state) && grants.allows("read", state);
}

/** Folders outside the workspace that the flags name, which file tools reach too. */
export function extraFolders(
  grants: Grants,
  kind: "read" | "write",
  places: Places,
): string[] {
  const extent = grants.extent(kind);
  if (extent === "all") return [];
  return extent.filter((folder) => folder !== places.workspace && folder !== places.state);
}

/** The variables of the host that a command may get. */
export function hostVariables(env: ReadVariable): Environment {
  return Object.fromEntries(HOST_VARIABLES.flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

/** Whether a host may be reached that a person has named otherwise than by a flag. */
function allowsByDefault(
  host: string,
  options: OptionValues,
  { workspace }: Places,
  cwd: string,
): boolean {
  const flags = rightFlags(options, cwd);
  return grantsOf(flags, { workspace, providers: [host] }, queryRuntime).allows("net", host);
}

function joinGrants(
  options: OptionValues,
  settings: Settings,
  places: Places,
  cwd: string,
): Grants {
  const script = scriptOf(settings.model);
  const defaults = {
    workspace: places.workspace,
    ...(places.state !== undefined && { state: places.state }),
    providers: [
      ...(script === undefined ? [hostOf(settings.provider)] : []),
      ...(settings.embeddings ? [hostOf(settings.embeddings.provider)] : []),
      ...(settings.applyModel && mayMerge(settings, places)
        ? [hostOf(settings.applyModel.provider)]
        : []),
    ],
  };
  return grantsOf(rightFlags(options, cwd), defaults, queryRuntime);
}

function rightFlags(options: OptionValues, cwd: string): RightFlags {
  const allow: Partial<Record<Kind, Extent>> = {};
  const deny: Partial<Record<Kind, Extent>> = {};
  for (const kind of KINDS) {
    const allowed = options[`allow-${kind}`];
    const denied = options[`deny-${kind}`];
    if (allowed !== undefined) allow[kind] = absolute(kind, allowed, cwd);
    if (denied !== undefined) deny[kind] = absolute(kind, denied, cwd);
  }
  return { allow, deny };
}

function absolute(kind: Kind, extent: Extent, cwd: string): Extent {
  if (extent === "all" || (kind !== "read" && kind !== "write")) return extent;
  return extent.map((folder) => resolve(cwd, folder));
}

/** Whether anything of a kind may still be wanted in this run. */
function isUsed(
  kind: Kind,
  grants: Grants,
  settings: Settings,
  options: OptionValues,
  hasServers: boolean,
): boolean {
  const extent = grants.extent(kind);
  if (extent === "all" || extent.length > 0) return true;
  if (kind === "net" && (settings.egress.length > 0 || hasServers)) {
    return grants.denied("net") !== "all";
  }
  // The files of -o and --log, and the folder of --out, were named by a person.
  const named = options.output ?? options.log ?? options.out;
  if (named !== undefined && (kind === "read" || kind === "write")) return true;
  // The script of a scripted model was named by a person.
  return kind === "read" && scriptOf(settings.model) !== undefined;
}

function unknownTool(name: string, known: readonly string[]): UsageError {
  const guess = nearestNames(name, known)[0];
  const hint = guess ? `, did you mean ${guess}` : "";
  return new UsageError(`Unknown tool "${name}"${hint}; see cordon tools`);
}
