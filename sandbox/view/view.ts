import { join } from "node:path";
import type { Environment } from "../commands/environment.ts";
import { COMMAND_LIMITS, type Limits } from "./limits.ts";
import type { MachineFacts } from "./machine_facts.ts";
import {
  type Mount,
  type MountPoint,
  pinInAreas,
  type PrivateArea,
  readable,
  writable,
} from "./mounts.ts";
import { hideState, protectPlaces } from "./protected_places.ts";
import type { Profile } from "../rights/tier.ts";
import type { ForwarderInView } from "./forwarder_in_view.ts";
import { viewEnvironment } from "./view_environment.ts";
import { homeTarget, VIEW_PLACES } from "./view_places.ts";
import { hiddenRepository, refusalOf, warningsOf } from "./view_refusal.ts";

/** A profile that has a view. */
export type ViewProfile = Exclude<Profile, "off">;

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
  /** In profile egress: the command line that reaches for the proxy where there is no socat. */
  readonly forwarder?: readonly string[];
  /** The root of a repository around the workspace: git finds none here. */
  readonly hiddenRepository?: string;
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
  /** For profile egress. */
  readonly forwarder?: ForwarderInView | undefined;
  readonly freshProcesses: boolean;
  /** The workspace and its git store can only be read, whatever the profile; granted folders stay. */
  readonly readsWorkspace?: boolean;
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
  const { profile, facts, folders, out, searchPath, freshProcesses } = request;
  const home = homeTarget(facts.home);
  const around = hiddenRepository(request);
  const view: View = {
    ...(profile === "container" ? inContainer(request) : inView(request, home)),
    profile,
    workspace: facts.workspace,
    environment: viewEnvironment(request, home),
    searchPath,
    limits: COMMAND_LIMITS,
    freshProcesses,
    shellFolder: seenAs(folders.shell, VIEW_PLACES.shell, profile),
    ...(out !== undefined && { outFolder: seenAs(out, VIEW_PLACES.out, profile) }),
    ...(profile === "egress" && request.forwarder && { forwarder: request.forwarder.command }),
    ...(around !== undefined && { hiddenRepository: around }),
    warnings: warningsOf(request),
  };
  return { ok: true, view };
}

type Layout = Pick<View, "mounts" | "points" | "linkFree" | "hostNetwork">;

/** The outer box is the boundary: everything as it is, and limits, filter and processes of our own. */
function inContainer({ freshProcesses }: ViewRequest): Layout {
  const processes: Mount[] = freshProcesses ? [{ kind: "processes", fresh: true }] : [];
  return { mounts: [{ kind: "host" }, ...processes], points: [], linkFree: [], hostNetwork: true };
}

function inView(request: ViewRequest, home: string): Layout {
  const { facts, folders, extraRead, extraWrite, state } = request;
  const roots = writableRoots(request);
  const shown = [facts.workspace, ...roots, ...extraRead, ...extraWrite];
  const areas: PrivateArea[] = [
    { source: folders.tmp, target: "/tmp" },
    { source: folders.home, target: home },
  ];
  const { mounts, points } = pinInAreas([
    ...areas.map(({ source, target }) => writable(source, target)),
    ...folderMounts(request, roots),
  ], areas);
  const guarded = protectPlaces(facts, roots);
  return {
    mounts: [
      ...systemMounts(request),
      ...mounts,
      ...ownMounts(request),
      ...guarded.mounts,
      ...hideState(state, shown, roots),
      { kind: "seal", target: "/" },
    ],
    points,
    linkFree: guarded.paths,
    hostNetwork: false,
  };
}

/** Folders of the host that commands may write. */
function writableRoots(request: ViewRequest): string[] {
  if (request.profile === "plan") return [];
  const { facts, extraWrite } = request;
  const project = request.readsWorkspace ? [] : [facts.workspace, ...usableStore(request)];
  return [...project, ...presentOf(request, extraWrite)];
}

/** Tool chains, granted folders, the workspace and its git store, each by its own name. */
function folderMounts(request: ViewRequest, roots: readonly string[]): Mount[] {
  const { facts, toolchains, extraRead, extraWrite } = request;
  const granted = presentOf(request, [...extraRead, ...extraWrite]);
  const others = [...granted, facts.workspace, ...usableStore(request)];
  return [
    ...[...presentOf(request, toolchains), ...others.filter((path) => !roots.includes(path))]
      .map(readable),
    ...roots.map((path) => writable(path, path)),
  ];
}

/** In a declared container everything keeps its name. */
function seenAs(host: string, seen: string, profile: ViewProfile): SeenFolder {
  return { host, seen: profile === "container" ? host : seen };
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

function ownMounts({ profile, folders, out, proxySocket, forwarder }: ViewRequest): Mount[] {
  const socket = profile === "egress" && proxySocket !== undefined;
  return [
    writable(folders.shell, VIEW_PLACES.shell),
    ...(out === undefined ? [] : [bindRead(out, VIEW_PLACES.out)]),
    ...(socket ? [writable(proxySocket, VIEW_PLACES.proxy), ...forwarder?.mounts ?? []] : []),
  ];
}

function bindRead(source: string, target: string): Mount {
  return { kind: "bind", access: "read", source, target };
}

/** Of the paths those that are there. */
function presentOf({ facts }: ViewRequest, paths: readonly string[]): string[] {
  return paths.filter((path) => facts.present.some((entry) => entry.path === path));
}

/** The git store outside of the workspace, where it is one and a person agreed. */
function usableStore({ facts: { store }, stores }: ViewRequest): string[] {
  return store?.trusted && stores.includes(store.path) ? [store.path] : [];
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
