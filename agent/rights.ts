import type { Grants } from "../sandbox/rights/grants.ts";
import type { Needs, Use } from "../sandbox/rights/needs.ts";
import type { Confinement, Tier } from "../sandbox/rights/tier.ts";
import type { Tool } from "../tools/tool.ts";
import { socketPaths } from "../sandbox/egress/socket.ts";
import { LIBRARY_SYS } from "./browser/no_browser.ts";
import type { NetReach } from "./net_reach.ts";

/** What this run may do: grants AND profile, to be met with what a tool needs. */
export interface Rights {
  readonly grants: Grants;
  readonly confinement: Confinement;
  /** Absolute. */
  readonly workspace: string;
  /** Whether files may be sent to a model that merges edits. */
  readonly applyModel: boolean;
  /** Whether hosts are granted, a person can be asked for them, or none can be reached. */
  readonly net: NetReach;
  /** The Deno that runs this, or the binary; absolute. */
  readonly executable: string;
  /** Whether there is a search engine to ask. */
  readonly search: boolean;
  /** Why one that is configured cannot be asked, and what helps; absent where each can. */
  readonly noSearch?: string;
  /** Whether there are skills that the model can take. */
  readonly skills?: boolean;
  /** Whether an index may be kept in the state folder; absent: not. */
  readonly keepsIndex?: boolean;
  /** Why the person's screen cannot be looked at, and what helps; absent where it can, or nobody asked. */
  readonly noScreen?: string;
  /** Why there is no browser, and what helps; absent where there is one, or nobody asked. */
  readonly noBrowser?: string;
  /** The same of acting there. */
  readonly noDesktop?: string;
  /** Whether a person can be asked while it works. */
  readonly hasPerson?: boolean;
  /** Those that the kernel view shows, of the ones that tools need; absent where nobody looked. */
  readonly programs?: ReadonlySet<string>;
}

/** A tool and whether the model gets it. */
export interface ToolStatus {
  readonly tool: Tool;
  /** Empty where its needs are met; else what is missing, and how to get it. */
  readonly missing: readonly string[];
  /** Whether a person (or the default set) switched it on. */
  readonly selected: boolean;
}

/** Every tool against the rights of this run. */
export function toolStatuses(
  tools: readonly Tool[],
  selected: ReadonlySet<string>,
  rights: Rights,
): ToolStatus[] {
  return tools.map((tool) => ({
    tool,
    selected: selected.has(tool.name),
    missing: missingRights(tool.needs, rights),
  }));
}

/** The tools that are offered to the model: switched on, and their needs met. */
export function offeredTools(statuses: readonly ToolStatus[]): Tool[] {
  const offered = statuses.filter(({ selected, missing }) => selected && missing.length === 0)
    .map(({ tool }) => tool);
  return offered.map((tool) => described(tool, offered));
}

/** The tool with all of its description, now that it is known which others there are. */
function described(tool: Tool, others: readonly Tool[]): Tool {
  const more = tool.describe?.(others);
  return more === undefined ? tool : { ...tool, description: tool.description + more };
}

/** What keeps a tool from being offered, each with the flag or the step that helps. */
function missingRights(needs: Needs, rights: Rights): string[] {
  const { confinement } = rights;
  const missing: string[] = [];
  if (needs.uses?.includes("model") && !rights.applyModel) {
    missing.push('no model that merges edits: set "apply_model" in config.jsonc');
  }
  if (needs.uses?.includes("index") && !rights.keepsIndex) {
    const folder = "--state=DIR, with --allow-read and --allow-write of it";
    missing.push(`nothing may be kept: ${folder}, and without --no-session`);
  }
  if (needs.uses?.includes("person") && !rights.hasPerson) {
    missing.push(
      "nobody can be asked: only in a conversation, at a terminal or in an editor that has forms",
    );
  }
  if (needs.uses?.includes("skills") && !rights.skills) {
    missing.push("there are no skills here, as .agents/skills/NAME/SKILL.md in a trusted project");
  }
  if (needs.uses?.includes("search") && !rights.search) {
    missing.push(
      rights.noSearch ??
        'no search engine is configured: "search" in config.jsonc, or BRAVE_API_KEY',
    );
  }
  if (needs.uses?.includes("screen") && rights.noScreen !== undefined) {
    missing.push(rights.noScreen);
  }
  if (needs.uses?.includes("desktop") && rights.noDesktop !== undefined) {
    missing.push(rights.noDesktop);
  }
  // A sub-agent is this program, started again outside of any view.
  if (needs.uses?.includes("children") && !rights.grants.allows("run", rights.executable)) {
    missing.push(`--allow-run=${rights.executable}`);
  }
  if (needs.uses?.includes("browser") && rights.noBrowser !== undefined) {
    missing.push(rights.noBrowser);
  }
  if (needs.net && rights.net === "none") {
    missing.push(
      "no host is granted: --egress=HOST or --allow-net=HOST; in a conversation it asks",
    );
  }
  if (needs.write && confinement.profile === "plan") missing.push("profile plan only reads");
  return [
    ...missing,
    ...(rights.programs ? missingPrograms(needs, rights.programs) : unbacked(needs, rights)),
  ];
}

/** With a view its mounts meet the needs, and what it shows of programs is there. */
function missingPrograms({ run = [] }: Needs, programs: ReadonlySet<string>): string[] {
  return run.filter((program) => !programs.has(program)).map((program) =>
    `${program} is not installed`
  );
}

/** Without a view Deno's own grants have to meet the needs. */
function unbacked(needs: Needs, { grants, confinement, workspace, executable }: Rights): string[] {
  const missing: string[] = [];
  if (needs.read && !grants.allows("read", workspace)) missing.push(`--allow-read=${workspace}`);
  if (needs.write && confinement.profile !== "plan" && !grants.allows("write", workspace)) {
    missing.push(`--allow-write=${workspace}`);
  }
  for (const program of needs.run ?? []) {
    if (!grants.allows("run", program)) missing.push(`--allow-run=${program}`);
  }
  // A reader is this program's Deno, started again.
  if (needs.uses?.includes("reader") && !grants.allows("run", executable)) {
    missing.push(`--allow-run=${executable}`);
  }
  if (needs.run && confinement.profile === "plan") {
    missing.push("profile plan runs commands only where a kernel view holds them to reading");
  }
  return missing;
}

/**
 * What a tool needs as Deno flags, `WORKSPACE` standing for the folder and `CORDON` for this program;
 * empty where nothing.
 */
export function needsAsFlags(needs: Needs, workspace = "WORKSPACE"): string[] {
  return [
    ...(needs.read?.includes("workspace") ? [`--allow-read=${workspace}`] : []),
    ...(needs.write ? [`--allow-write=${workspace}`] : []),
    ...(needs.run ? [`--allow-run=${needs.run.join(",")}`] : []),
    ...(needs.uses?.includes("children") ? ["--allow-run=CORDON"] : []),
    ...(needs.net ? ["--allow-net=HOST"] : []),
    ...(needs.uses?.includes("index") ? ["--allow-read=STATE", "--allow-write=STATE"] : []),
    ...(needs.uses?.includes("browser")
      ? ["--allow-env", `--allow-sys=${LIBRARY_SYS.join(",")}`]
      : []),
    ...screenFlags(needs),
  ];
}

/** What looks at a display of X11 and acts there, in the warden; each other kind has its own. */
function screenFlags({ uses = [] }: Needs): string[] {
  const programs = screenPrograms(uses);
  if (programs.length === 0) return [];
  return [`--allow-run=${programs.join(",")}`, `--allow-env=${DISPLAY_VARIABLES.join(",")}`];
}

function screenPrograms(uses: readonly Use[]): string[] {
  if (uses.includes("desktop")) return ["scrot", "xdotool"];
  return uses.includes("screen") ? ["scrot"] : [];
}

/** How a display of X11 is found; the second where it wants a proof. */
const DISPLAY_VARIABLES = ["DISPLAY", "XAUTHORITY"];

/** What the model's client needs of Deno beside the tools. */
export interface ModelNeeds {
  /** As `host:port`; none for a script. */
  readonly host?: string;
  /** The variable that holds the key. */
  readonly keyVariable?: string;
  /** The file of a script, absolute. */
  readonly script?: string;
}

/** What a line names, absolute but for `program`, the file that Deno runs. */
export interface LinePlaces {
  /** Those that tools may reach; `HOST` where it is still to be said. */
  readonly hosts?: readonly string[];
  readonly workspace: string;
  readonly state: string;
  readonly program: string;
  /** The Deno that runs it. */
  readonly executable: string;
}

/**
 * The smallest `deno run` line under which these tools are offered, and the model answers. The
 * tier decides what backs a tool's needs: without a view Deno's own grants do.
 */
export function smallestLine(
  tools: readonly Tool[],
  model: ModelNeeds,
  tier: Tier,
  { workspace, state, program, executable, hosts = ["HOST"] }: LinePlaces,
): string[] {
  const read = new Set<string>(model.script === undefined ? [] : [model.script]);
  const write = new Set<string>();
  const run = new Set<string>();
  const env = new Set<string>(model.keyVariable === undefined ? [] : [model.keyVariable]);
  const net = new Set<string>(model.host === undefined ? [] : [model.host]);
  const sys = new Set<string>();
  for (const { needs } of tools) {
    if (needs.net) hosts.forEach((host) => net.add(host));
    if (needs.uses?.includes("children")) run.add(executable);
    if (needs.uses?.includes("browser")) {
      LIBRARY_SYS.forEach((name) => sys.add(name));
      // Where its proxy listens; a second session at once has the next one.
      socketPaths(state).slice(0, 1).forEach((path) => net.add(`unix:${path}`));
    }
    const reads = needs.uses?.includes("reader");
    const programs = screenPrograms(needs.uses ?? []);
    programs.forEach((name) => run.add(name));
    if (programs.length > 0) DISPLAY_VARIABLES.forEach((name) => env.add(name));
    if (tier !== "3" && (needs.read ?? needs.write ?? needs.run ?? reads)) {
      run.add("bwrap");
      read.add(state);
      write.add(state);
      continue;
    }
    if (needs.read?.includes("workspace")) read.add(workspace);
    if (needs.write) write.add(workspace);
    for (const program of needs.run ?? []) run.add(program);
    if (reads) run.add(executable);
    if (needs.uses?.includes("index")) {
      read.add(state);
      write.add(state);
    }
  }
  return [
    "deno",
    "run",
    "--no-prompt",
    "--cached-only",
    "--frozen",
    ...flag("allow-run", run),
    ...flag("allow-read", read),
    ...flag("allow-write", write),
    ...flag("allow-net", net),
    // The library that drives browsers looks for any variable.
    ...(sys.size > 0 ? ["--allow-env", ...flag("allow-sys", sys)] : flag("allow-env", env)),
    program,
    ...(write.has(state) ? [`--state=${state}`] : []),
  ];
}

/** Deno separates by commas and writes a comma in a path as two. */
function flag(name: string, values: ReadonlySet<string>): string[] {
  if (values.size === 0) return [];
  return [`--${name}=${[...values].map((value) => value.replaceAll(",", ",,")).join(",")}`];
}
