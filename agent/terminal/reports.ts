import { relative, resolve } from "node:path";
import { type Extent, type Grants, isInside, KINDS } from "../../sandbox/rights/grants.ts";
import { confinementLine, type Tier } from "../../sandbox/rights/tier.ts";
import type { Enclosure } from "../enclosure.ts";
import { egressRules } from "../egress.ts";
import type { Launch } from "../launch.ts";
import { PROVIDERS } from "../model/provider.ts";
import type { Places } from "../places.ts";
import { type ModelNeeds, needsAsFlags, smallestLine, type ToolStatus } from "../rights.ts";
import { hostOf, scriptOf, type Settings } from "../settings.ts";
import type { SessionSummary, UnreadableLog } from "../session/list.ts";
import { printable } from "./output.ts";

/** Names of tools and of how they stand; a reason is longer, and makes no room for itself. */
const MAX_NAME_CHARS = 20;

/** `cordon tools`: every tool, what it needs, and why it is not offered. */
export function toolsReport(tools: readonly ToolStatus[]): string {
  const rows = tools.map((status) => [
    status.tool.name,
    standing(status),
    needsAsFlags(status.tool.needs).join(" ") || "needs nothing",
  ]);
  return table(rows, MAX_NAME_CHARS);
}

/** `cordon rights`: what this process may do; its first line names tier and profile. */
export function rightsReport(launch: Launch, enclosure: Enclosure): string {
  const { places, settings } = launch;
  const { rights } = enclosure;
  const offered = enclosure.offered.map(({ name }) => name);
  const rows = [
    ["workspace", places.workspace],
    ["state", places.state ?? "none: no log is kept"],
    ...KINDS.map((kind) => [kind, extentText(rights.grants, kind)]),
    ...(settings.egress.length > 0 ? [["egress", settings.egress.join(", ")]] : []),
    ["model", modelText(launch)],
    ...(settings.applyModel ? [["apply model", applyModelText(launch)]] : []),
    ...(launch.telemetry ? [["traces", launch.telemetry.url]] : []),
    ["approval", settings.approval],
    ["tools", offered.join(", ") || "none"],
  ];
  return `${confinementLine(rights.confinement)}\n${table(rows)}`;
}

/**
 * `cordon rights --flags`: the smallest `deno run` line for the tools that are switched on. It can be
 * run as it stands, a prompt behind it: what came from variables and configuration is said again.
 */
export function flagsReport(launch: Launch, tier: Tier, program: string): string {
  const { places, settings, catalogue, selected } = launch;
  const wanted = catalogue.filter(({ name }) => selected.has(name));
  const line = smallestLine(wanted, modelNeeds(launch), tier, {
    workspace: places.workspace,
    state: places.state ?? "STATE",
    program: nearPath(program, places.cwd),
    executable: Deno.execPath(),
    ...grantedHosts(launch),
  });
  const words = [...line, ...settingFlags(settings, places)];
  return `DENO_NO_UPDATE_CHECK=1 ${words.map(quoted).join(" ")}\n`;
}

function grantedHosts(launch: Launch): { readonly hosts?: readonly string[] } {
  const { allow } = egressRules(launch);
  return allow === "all" || allow.length === 0 ? {} : { hosts: allow };
}

/** A path below a folder is named from there. */
function nearPath(path: string, folder: string): string {
  return isInside(path, folder) ? relative(folder, path) : path;
}

/** Nothing of this can be looked up under the smallest rights. */
function settingFlags(
  { model, provider, tools, egress }: Settings,
  { workspace, cwd }: Places,
): string[] {
  const script = scriptOf(model);
  const known = script !== undefined || provider.baseUrl === PROVIDERS.openai.baseUrl;
  return [
    ...(workspace === cwd ? [] : [`--cd=${workspace}`]),
    ...(model === undefined
      ? []
      : [`--model=${script === undefined ? model : `scripted:${resolve(cwd, script)}`}`]),
    ...(known ? [] : [`--base-url=${provider.baseUrl}`]),
    ...(tools.length > 0 ? [`--tools=${tools.join(",")}`] : []),
    ...(egress.length > 0 ? [`--egress=${egress.join(",")}`] : []),
  ];
}

/**
 * `cordon sessions`: a line each, the one changed last first; none where nothing was said. A name
 * stands before the first prompt.
 */
export function sessionsReport(sessions: readonly SessionSummary[], folders = false): string {
  const spoken = sessions.filter((s) => s.firstPrompt !== undefined && s.child === undefined);
  const helped = (id: string) => sessions.filter(({ child }) => child?.parent === id).length;
  return table(spoken.map(({ id, name, cwd, changed, endReason, firstPrompt }) => [
    id,
    minuteOf(changed),
    endReason ?? "open",
    ...(folders ? [cwd] : []),
    `${name === undefined ? "" : `[${name}] `}${printable(firstPrompt ?? "").slice(0, 60)}${
      helpersText(helped(id))
    }`,
  ]));
}

/** Sub-agents are not listed; their sessions can be exported by their ids. */
function helpersText(count: number): string {
  return count === 0 ? "" : ` (${count} ${count === 1 ? "sub-agent" : "sub-agents"})`;
}

/** A line each for what lies among the logs and cannot be read, and what can be done with it. */
export function unreadableReport(logs: readonly UnreadableLog[]): string {
  if (logs.length === 0) return "";
  const rows = logs.map(({ id, changed, problem }) => [
    id,
    minuteOf(changed),
    `cannot be read: ${printable(problem)}`,
  ]);
  const advice = "cordon export ID saves what can be read, cordon sessions delete ID removes it";
  return `${table(rows)}${advice}\n`;
}

/** A time to the minute, in UTC. */
export function minuteOf(date: Date): string {
  return date.toISOString().slice(0, 16).replace("T", " ");
}

function standing({ selected, missing }: ToolStatus): string {
  if (missing.length > 0) return `not offered: ${missing.join("; ")}`;
  return selected ? "offered" : "off";
}

/** What Deno grants is asked for the whole kind: a list of its own it does not tell. */
function extentText(grants: Grants, kind: typeof KINDS[number]): string {
  const extent: Extent = grants.extent(kind);
  if (extent === "all") return grants.allows(kind) ? "all" : "what Deno's own flags grant";
  return extent.length > 0 ? extent.join(", ") : "none";
}

function modelText({ settings }: Launch): string {
  const { model, provider } = settings;
  if (model === undefined) return "none is set: --model NAME";
  return scriptOf(model) === undefined ? `${model} at ${hostOf(provider)}` : model;
}

function applyModelText({ settings: { applyModel }, applyModel: agreed }: Launch): string {
  if (!applyModel) return "none";
  const where = `${applyModel.model} at ${hostOf(applyModel.provider)}`;
  return agreed ? where : `${where}: not agreed to, so morph is not offered`;
}

function modelNeeds({ settings: { model, provider }, places }: Launch): ModelNeeds {
  const script = scriptOf(model);
  if (script !== undefined) return { script: resolve(places.cwd, script) };
  return {
    host: hostOf(provider),
    ...(provider.keyVariable !== undefined && { keyVariable: provider.keyVariable }),
  };
}

/** A word as a POSIX shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Columns padded to their widest cell, the last one left as it is; cells of more than `most`
 * characters widen none.
 */
export function table(rows: readonly (readonly string[])[], most = Infinity): string {
  const lengths = (column: number) => rows.map((row) => row[column]?.length ?? 0);
  const widths =
    rows[0]?.map((_, column) =>
      Math.max(0, ...lengths(column).filter((length) => length <= most))
    ) ?? [];
  return rows.map((row) =>
    `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()}\n`
  ).join("");
}
