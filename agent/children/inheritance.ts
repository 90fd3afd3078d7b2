import { isConfined } from "../../sandbox/rights/tier.ts";
import { socketPaths } from "../../sandbox/egress/socket.ts";
import type { Environment } from "../../sandbox/commands/environment.ts";
import { resolve } from "node:path";
import type { OptionName, OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import type { Launch } from "../launch.ts";
import type { Config } from "../config/schema.ts";
import { type Provider, PROVIDERS } from "../model/provider.ts";
import type { Rights } from "../rights.ts";
import { hostOf, scriptOf } from "../settings.ts";
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
}

/** The options of a child: its parent's, narrowed by its role. Pure. */
export function childOptions(
  { launch, options, keepsLog }: Inheritance,
  { model, readOnly }: Role,
  { tools, maxTurns }: ChildOptions,
): OptionValues {
  const { places, settings } = launch;
  const names = [...INHERITED, ...(model === undefined ? OF_MODEL : [])];
  return {
    ...Object.fromEntries(names.flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [[name, value]];
    })),
    ...(model !== undefined && { model }),
    cd: places.workspace,
    ...(places.state !== undefined && { state: places.state }),
    ...(!keepsLog && { "no-session": true }),
    approval: settings.approval,
    profile: readOnly ? "plan" : settings.profile,
    tools,
    ...(maxTurns !== undefined && { "max-turns": maxTurns }),
  };
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
export function isOfChildren(name: string): boolean {
  return name === "subagent" || name.startsWith("subagent_");
}

/** Whether a child has a view where its parent has one, as its parent's tells. */
export function mustBeConfined({ confinement }: Rights): boolean {
  return isConfined(confinement) && confinement.profile !== "container";
}

/** What a child asks Deno for, of what this process may have in part. */
export function wantedRights({ launch }: Inheritance, variables: Environment): WantedRights {
  const { grants, places, settings, catalogue } = launch;
  const named = (kind: "read" | "write" | "run" | "net" | "sys") => {
    const extent = grants.extent(kind);
    return extent === "all" ? [] : extent;
  };
  const state = places.state === undefined ? [] : [places.state];
  const script = scriptOf(settings.model);
  const { config, systemConfig, workspace, cwd } = places;
  return {
    read: [
      ...named("read"),
      workspace,
      ...state,
      ...(config === undefined ? [] : [config]),
      ...systemConfig,
      ...(script === undefined ? [] : [resolve(cwd, script)]),
    ],
    write: [...named("write"), workspace, ...state],
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
  role: Role,
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
