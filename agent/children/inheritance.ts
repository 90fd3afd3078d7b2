import { isConfined } from "../../sandbox/rights/tier.ts";
import { socketPaths } from "../../sandbox/egress/socket.ts";
import type { Environment } from "../../sandbox/commands/environment.ts";
import { dirname, join, relative, resolve } from "node:path";
import { isInside } from "../../sandbox/rights/grants.ts";
import type { OptionName, OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import type { Launch } from "../launch.ts";
import type { Places } from "../places.ts";
import { recordOf } from "../worktrees/record.ts";
import type { Config } from "../config/schema.ts";
import { type Provider, PROVIDERS } from "../model/provider.ts";
import type { Rights } from "../rights.ts";
import { collectorOf, hostOf, scriptOf } from "../settings.ts";
import type { Role } from "./roles.ts";
import type { WantedRights } from "./runtime_rights.ts";

/** What a session has, and so what its children can have at the most. */
export interface Inheritance {
  readonly launch: Launch;
  readonly rights: Rights;
  /** By which it was started. */
  readonly options: OptionValues;
  /** Whether it keeps a log. */
  readonly keepsLog: boolean;
}

/** Options by which a parent says what it may, and how its model is reached. */
const INHERITED = [
  ...["wire", "tool-format", "context-window", "max-output-tokens"],
  ...["egress", "allow-read", "allow-write", "allow-run", "allow-net", "allow-env", "allow-sys"],
  ...["deny-read", "deny-write", "deny-run", "deny-net", "deny-env", "deny-sys"],
] as const satisfies readonly string[] as readonly OptionName[];

/** The same, where a child asks its parent's model. */
const OF_MODEL = ["model", "base-url", "provider"] as const;

/** What a child's own task adds. */
export interface ChildOptions {
  /** Names of the tools that it gets; at least one. */
  readonly tools: readonly string[];
  readonly maxTurns?: number | undefined;
  /** The worktree in which it works; absent: the folder of its parent. */
  readonly apart?: string | undefined;
}

/** The options of a child: its parent's, narrowed by its role. Pure. */
export function childOptions(
  { launch, options, keepsLog }: Inheritance,
  { model, readOnly }: Role,
  { tools, maxTurns, apart }: ChildOptions,
): OptionValues {
  const { places, settings } = launch;
  const names = [...INHERITED, ...(model === undefined ? OF_MODEL : [])];
  return {
    ...Object.fromEntries(names.flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [[name, value]];
    })),
    ...(apart !== undefined && movedFolders(options, places, apart)),
    ...(model !== undefined && { model }),
    cd: apart ?? places.workspace,
    ...(places.state !== undefined && { state: places.state }),
    // Lines of all of them stand in one file, each with its session.
    ...(options.log !== undefined && { log: resolve(places.cwd, options.log) }),
    ...(!keepsLog && { "no-session": true }),
    approval: settings.approval,
    profile: readOnly ? "plan" : settings.profile,
    tools,
    ...(maxTurns !== undefined && { "max-turns": maxTurns }),
  };
}

/** Options that name folders. */
const OF_FOLDERS = ["allow-read", "allow-write", "deny-read", "deny-write"] as const;

/**
 * The folders of a parent's options for a child that works in a copy: what lies in the workspace is
 * in the copy then, and the workspace itself stays out of its reach.
 */
export function movedFolders(
  options: OptionValues,
  { workspace, cwd }: Pick<Places, "workspace" | "cwd">,
  apart: string,
): OptionValues {
  return Object.fromEntries(OF_FOLDERS.flatMap((name) => {
    const folders = options[name];
    if (folders === undefined || folders === "all") return [];
    return [[
      name,
      folders.map((folder) => {
        const path = resolve(cwd, folder);
        return isInside(path, workspace) ? join(apart, relative(workspace, path)) : path;
      }),
    ]];
  }));
}

/**
 * The tools of a child: those of its parent that its role names. Tools that start children are left
 * out where it is as deep as children go, and so is the one that asks where nobody answers.
 */
export function childTools(
  parents: readonly string[],
  { tools }: Role,
  { mayHaveChildren, answersQuestions }: {
    readonly mayHaveChildren: boolean;
    readonly answersQuestions: boolean;
  },
): string[] {
  const kept = parents.filter((name) =>
    (tools?.includes(name) ?? true) && (mayHaveChildren || !isOfChildren(name)) && name !== ASK
  );
  // Whom it asks is its parent, which a session without a person can be, too.
  return kept.length > 0 && answersQuestions ? [...kept, ASK] : kept;
}

const ASK = "ask_user";

/** Whether a tool is one of those for children. */
function isOfChildren(name: string): boolean {
  return name === "subagent" || name.startsWith("subagent_");
}

/** Whether a child has a view where its parent has one, as its parent's tells. */
export function mustBeConfined({ confinement }: Rights): boolean {
  return isConfined(confinement) && confinement.profile !== "container";
}

/** What a child asks Deno for, of what this process may have in part. */
export function wantedRights(
  { launch, options: { log } }: Pick<Inheritance, "launch" | "options">,
  variables: Environment,
  apart?: string,
): WantedRights {
  const { grants, places, settings, catalogue } = launch;
  const named = (kind: "read" | "write" | "run" | "net" | "sys") => {
    const extent = grants.extent(kind);
    return extent === "all" ? [] : extent;
  };
  const state = places.state === undefined ? [] : [places.state];
  const store = apart === undefined || places.state === undefined
    ? undefined
    : recordOf(places.state, apart)?.git?.store;
  const own = apart === undefined ? [] : [
    // Its record, by which it knows its repository, lies beside it.
    dirname(dirname(apart)),
    ...(store === undefined ? [] : [store]),
  ];
  const script = scriptOf(settings.model);
  const { config, systemConfig, workspace, cwd } = places;
  const collector = collectorOf(settings);
  const logs = log === undefined ? [] : [resolve(cwd, log)];
  return {
    read: [
      ...named("read"),
      ...(apart === undefined ? [workspace] : own),
      ...state,
      ...(config === undefined ? [] : [config]),
      ...systemConfig,
      ...(script === undefined ? [] : [resolve(cwd, script)]),
      ...logs.map(dirname),
    ],
    write: [...named("write"), ...(apart === undefined ? [workspace] : own), ...state, ...logs],
    run: [
      ...named("run"),
      "bwrap",
      Deno.execPath(),
      ...catalogue.flatMap(({ needs }) => needs.run ?? []),
      ...["rg", "git"],
    ],
    net: [
      ...named("net"),
      hostOf(settings.provider),
      ...(collector === undefined ? [] : [collector]),
      ...state.flatMap(socketPaths).map((path) => `unix:${path}`),
    ],
    env: Object.keys(variables),
    sys: [...named("sys"), "statfs", "uid", "gid", "hostname", "homedir", "osRelease"],
  };
}

/** Reads variables, and remembers those that were there. */
export interface VariableRecord {
  readonly read: ReadVariable;
  /** What was read so far. */
  readonly seen: Environment;
}

/** What a run has read of its environment is what its children get of it, keys and all. */
export function recordVariables(env: ReadVariable): VariableRecord {
  const seen: Record<string, string> = {};
  return {
    seen,
    read(name) {
      const value = env(name);
      if (value !== undefined) seen[name] = value;
      return value;
    },
  };
}

/** Variables that Deno itself reads, and that only name places. */
const OF_DENO = ["DENO_DIR", "DENO_CERT", "DENO_TLS_CA_STORE", "DENO_NO_PACKAGE_JSON"] as const;

/** The variables of a child; one that asks another model than its parent needs that one's key. */
export function childVariables(
  { seen, read }: VariableRecord,
  role: Pick<Role, "model">,
  { providers = {} }: Config,
): Environment {
  const known: readonly Provider[] = Object.values(PROVIDERS);
  const keys = role.model === undefined ? [] : [
    ...Object.values(providers).map(({ env_key }) => env_key),
    ...known.map(({ keyVariable }) => keyVariable),
  ];
  const more = [...OF_DENO, ...keys].flatMap((name) => {
    const value = name === undefined ? undefined : read(name);
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return { ...seen, ...Object.fromEntries(more) };
}
