import { join } from "node:path";
import type { Environment } from "./environment.ts";
import { isInside } from "./grants.ts";
import { COMMAND_LIMITS, type Limits } from "./limits.ts";
import type { Entry, MachineFacts } from "./machine_facts.ts";
import {
  foldersBetween,
  type Mount,
  type MountPoint,
  pinInAreas,
  type PrivateArea,
  readable,
  writable,
} from "./mounts.ts";
import type { Profile } from "./tier.ts";
import { viewEnvironment } from "./view_environment.ts";
import { VIEW_PLACES } from "./view_places.ts";

/** A profile that has a view. */
export type ViewProfile = Exclude<Profile, "off">;

/** Repositories whose parts are protected one by one; of further ones everything is read-only. */
const MAX_REPOSITORIES = 32;

/** Protected files and folders in a view; each is a mount, and so arguments and time in every command. */
const MAX_PROTECTED = 1_000;

/** What a confined process sees and may use: a description, nothing is mounted yet. */
export interface View {
  readonly profile: ViewProfile;
  /** The workspace as commands name it, links resolved. */
  readonly workspace: string;
  /** In this order. */
  readonly mounts: readonly Mount[];
  /** Whether the view has the host's network, and not only a loopback of its own. */
  readonly hostNetwork: boolean;
  /** The whole environment of a command. */
  readonly environment: Environment;
  /** PATH of everything that runs before a command: only folders that no command can write. */
  readonly searchPath: string;
  readonly limits: Limits;
  /** Paths in the workspace that must not be links when a command starts, lest a mount leads astray. */
  readonly linkFree: readonly string[];
  /** Mount points in private folders, to be made before the first command. */
  readonly points: readonly MountPoint[];
  /** Whether /proc shows the processes of the view, and not those of the host. */
  readonly freshProcesses: boolean;
  /** The folder in which the shell keeps its state: on the host, and as commands see it. */
  readonly shellFolder: SeenFolder;
  /** The folder of spilled output; absent where none is kept. */
  readonly outFolder?: SeenFolder;
  /** Sentences that a person should read. */
  readonly warnings: readonly string[];
  /** User and group as which bubblewrap is started; absent: as this process. */
  readonly runAs?: { readonly uid: number; readonly gid: number };
}

/** A folder that has another name in the view. */
export interface SeenFolder {
  readonly host: string;
  readonly seen: string;
}

/** The session's folders on the host, all below the state folder. */
export interface PrivateFolders {
  readonly home: string;
  readonly tmp: string;
  readonly shell: string;
  /** What root's views show as /etc. */
  readonly etc: string;
}

export interface ViewRequest {
  readonly profile: ViewProfile;
  readonly facts: MachineFacts;
  readonly folders: PrivateFolders;
  /** The state folder, links resolved: never in view. */
  readonly state: string;
  /** Folder of spilled output. */
  readonly out?: string | undefined;
  /** The fixed environment of commands (`environment.ts`). */
  readonly environment: Environment;
  /** Folders and files that a person granted. */
  readonly extraRead: readonly string[];
  readonly extraWrite: readonly string[];
  /** Tool chains and caches (`toolchains.ts`); shown where they are there. */
  readonly toolchains: readonly string[];
  /** Git stores outside the workspace that a person agreed to. */
  readonly stores: readonly string[];
  /** The host's socket of the egress proxy. */
  readonly proxySocket?: string | undefined;
  readonly freshProcesses: boolean;
  /** As in {@linkcode View}. */
  readonly searchPath: string;
}

/** A view, or why there cannot be one. */
export type ViewAnswer =
  | { readonly ok: true; readonly view: View }
  | { readonly ok: false; readonly reason: string; readonly fix: string };

/** Lays out what a confined process sees. Pure. */
export function layOutView(request: ViewRequest): ViewAnswer {
  const refusal = refusalOf(request);
  if (refusal) return { ok: false, ...refusal };
  const { profile, facts, folders } = request;
  const store = usableStore(request);
  const home = homeTarget(request);
  const plan = profile === "plan";
  const writableRoots = plan ? [] : [
    facts.workspace,
    ...(store === undefined ? [] : [store]),
    ...presentOf(request, request.extraWrite),
  ];
  const guarded = guardMounts(facts, writableRoots);
  const areas: PrivateArea[] = [
    { source: folders.tmp, target: "/tmp" },
    { source: folders.home, target: home },
  ];
  const { mounts, points } = pinInAreas([
    ...areas.map(({ source, target }) => writable(source, target)),
    ...presentOf(request, request.toolchains).map(readable),
    ...presentOf(request, [...request.extraRead, ...(plan ? request.extraWrite : [])]).map(
      readable,
    ),
    ...[facts.workspace, ...(store === undefined ? [] : [store])].map((path) =>
      plan ? readable(path) : writable(path, path)
    ),
    ...(plan ? [] : presentOf(request, request.extraWrite).map((path) => writable(path, path))),
  ], areas);
  const view: View = {
    profile,
    workspace: facts.workspace,
    mounts: profile === "container" ? containerMounts(request) : [
      ...systemMounts(request),
      ...mounts,
      ...ownMounts(request),
      ...guarded.mounts,
      ...hiddenState(request, writableRoots),
      { kind: "seal", target: "/" },
    ],
    hostNetwork: profile === "container",
    environment: viewEnvironment(request, home),
    searchPath: request.searchPath,
    limits: COMMAND_LIMITS,
    linkFree: profile === "container" ? [] : guarded.paths,
    points: profile === "container" ? [] : points,
    freshProcesses: request.freshProcesses,
    shellFolder: seenAs(folders.shell, VIEW_PLACES.shell, profile),
    ...(request.out !== undefined && {
      outFolder: seenAs(request.out, VIEW_PLACES.out, profile),
    }),
    warnings: warningsOf(request),
  };
  return { ok: true, view };
}

/** In a declared container everything keeps its name. */
function seenAs(host: string, seen: string, profile: ViewProfile): SeenFolder {
  return { host, seen: profile === "container" ? host : seen };
}

/** What is a system's own: a workspace there would show or overlay what views are made of. */
const NO_WORKSPACE = ["/", "/usr", "/etc", "/bin", "/sbin", "/lib", "/lib64", "/var", "/home"];
const KERNEL_FOLDERS = ["/proc", "/sys", "/dev", "/cordon"];

function refusalOf({ profile, facts, state }: ViewRequest) {
  const { workspace, home } = facts;
  if (profile === "container") return undefined;
  const named = JSON.stringify(workspace);
  const elsewhere = "Start Cordon in the folder of a project";
  if (
    NO_WORKSPACE.includes(workspace) || KERNEL_FOLDERS.some((path) => isInside(workspace, path))
  ) {
    return { reason: `the workspace ${named} is a folder of the system`, fix: elsewhere };
  }
  if (home !== undefined && isInside(home, workspace)) {
    return { reason: `the workspace ${named} is or holds the home folder`, fix: elsewhere };
  }
  if (isInside(workspace, state)) {
    return { reason: `the workspace ${named} lies in the state folder`, fix: elsewhere };
  }
  if (facts.root && !facts.workspaceOwned) {
    return {
      reason: `the workspace ${named} belongs to another user than root`,
      fix: "Start Cordon as that user, as by: sudo -u USER cordon",
    };
  }
  if (facts.autoRun.length > MAX_PROTECTED) {
    return {
      reason:
        `the workspace ${named} holds more than ${MAX_PROTECTED} files that must be protected`,
      fix: "Start Cordon in a folder further down",
    };
  }
  return undefined;
}

/** HOME stays where it is, with other content; somewhere else only where the system's files are. */
function homeTarget({ facts: { home } }: ViewRequest): string {
  const usable = home !== undefined && home !== "/" && home !== "/tmp" &&
    ![...NO_WORKSPACE.slice(1), ...KERNEL_FOLDERS].some((path) =>
      path !== "/home" && isInside(home, path)
    );
  return usable ? home : VIEW_PLACES.home;
}

function systemMounts({ facts, folders, freshProcesses }: ViewRequest): Mount[] {
  return [
    readable("/usr"),
    ...facts.systemLinks.map((name): Mount => ({
      kind: "link",
      to: `usr/${name}`,
      target: `/${name}`,
    })),
    ...facts.systemFolders.map(readable),
    // An ordinary user's own rights keep it from what is secret there; for root there is a copy.
    bindRead(facts.root ? folders.etc : "/etc", "/etc"),
    ...facts.configuration.map(readable),
    { kind: "devices" },
    { kind: "memory", target: "/dev/shm", bytes: COMMAND_LIMITS.sharedMemoryBytes },
    { kind: "seal", target: "/dev" },
    { kind: "processes", fresh: freshProcesses },
    ...(freshProcesses ? [readable("/proc/sys")] : []),
    ...facts.procFiles.map((target): Mount => ({ kind: "hide", target })),
    { kind: "folder", target: "/run" },
    { kind: "link", to: "../tmp", target: "/var/tmp" },
  ];
}

function ownMounts({ profile, folders, out, proxySocket }: ViewRequest): Mount[] {
  const socket = profile === "egress" && proxySocket !== undefined;
  return [
    writable(folders.shell, VIEW_PLACES.shell),
    ...(out === undefined ? [] : [bindRead(out, VIEW_PLACES.out)]),
    ...(socket ? [writable(proxySocket, VIEW_PLACES.proxy)] : []),
  ];
}

function bindRead(source: string, target: string): Mount {
  return { kind: "bind", access: "read", source, target };
}

/** The outer box is the boundary: everything as it is, and limits, filter and processes of our own. */
function containerMounts(request: ViewRequest): Mount[] {
  return [{ kind: "host" }, ...(request.freshProcesses ? [processes(true)] : [])];
}

function processes(fresh: boolean): Mount {
  return { kind: "processes", fresh };
}

/** Of the paths those that are there. */
function presentOf({ facts }: ViewRequest, paths: readonly string[]): string[] {
  return paths.filter((path) => facts.present.some((entry) => entry.path === path));
}

function usableStore({ facts: { store }, stores }: ViewRequest): string | undefined {
  return store?.trusted && stores.includes(store.path) ? store.path : undefined;
}

/**
 * What is protected in writable folders: repositories and what runs by itself, read-only, with a pin
 * for every folder on the way.
 */
function guardMounts(
  facts: MachineFacts,
  roots: readonly string[],
): { mounts: Mount[]; paths: string[] } {
  const access = new Map<string, "read" | "write">();
  const rootOf = (path: string) => roots.find((root) => path !== root && isInside(path, root));
  function protect({ path }: Entry): void {
    const root = rootOf(path);
    if (root === undefined) return;
    for (const folder of foldersBetween(root, path)) {
      if (!access.has(folder)) access.set(folder, "write");
    }
    access.set(path, "read");
  }
  const closed = facts.repositories.slice(MAX_REPOSITORIES);
  for (const path of facts.repositories.slice(0, MAX_REPOSITORIES)) {
    if (rootOf(path) === undefined) continue;
    protect({ path, folder: true });
    access.set(path, "write");
  }
  closed.forEach((path) => protect({ path, folder: true }));
  facts.autoRun
    .filter(({ path }) => !closed.some((repository) => isInside(path, repository)))
    .forEach(protect);
  // By length, a folder comes before what lies in it.
  const paths = [...access.keys()].sort((a, b) => a.length - b.length);
  return {
    paths,
    mounts: paths.map((path) => ({
      kind: "bind",
      access: access.get(path) ?? "read",
      source: path,
      target: path,
      // The user may remove it while a session lasts.
      optional: true,
    })),
  };
}

/** A state folder in a folder that commands see would be theirs to read and to forge. */
function hiddenState(request: ViewRequest, writableRoots: readonly string[]): Mount[] {
  const { state, extraRead, facts } = request;
  const shown = [facts.workspace, ...extraRead, ...writableRoots];
  const root = shown.find((path) => isInside(state, path));
  if (root === undefined) return [];
  return [
    ...(writableRoots.includes(root)
      ? foldersBetween(root, state).map((path) => writable(path, path))
      : []),
    { kind: "memory", target: state, bytes: 4096 },
    { kind: "seal", target: state },
  ];
}

function warningsOf({ facts, stores, profile }: ViewRequest): string[] {
  const warnings: string[] = [];
  if (profile !== "plan" && !facts.workspaceWritable) {
    warnings.push(`The workspace ${JSON.stringify(facts.workspace)} can only be read`);
  }
  const { store } = facts;
  if (facts.root) {
    warnings.push(
      "Cordon runs as root: the number of processes of a command is not limited, and files of root are its own",
    );
  }
  if (store && !store.trusted) {
    warnings.push(
      `The git store ${
        JSON.stringify(store.path)
      } does not name this workspace: git has no history here`,
    );
  } else if (store && !stores.includes(store.path)) {
    warnings.push(
      `The git store ${
        JSON.stringify(store.path)
      } lies outside the workspace: git works when you agree to it`,
    );
  }
  return warnings;
}

/** The paths that a survey is asked for on behalf of a request. */
export function wantedPaths(
  { toolchains, extraRead, extraWrite }: Pick<
    ViewRequest,
    "toolchains" | "extraRead" | "extraWrite"
  >,
): string[] {
  return [...new Set([...toolchains, ...extraRead, ...extraWrite])];
}

/** What bubblewrap is started with for a view; a command gets its own PATH back from the supervisor. */
export function startEnvironment({ environment, searchPath }: View): Environment {
  return { ...environment, PATH: searchPath };
}

/** The folders of a session below the state folder. */
export function privateFolders(state: string, session: string): PrivateFolders {
  const folder = join(state, "views", session);
  const at = (name: string) => join(folder, name);
  return { home: at("home"), tmp: at("tmp"), shell: at("shell"), etc: at("etc") };
}
