import { resolve, sep } from "node:path";

/** The kinds of rights that Cordon uses, in Deno's words; ffi and import are never among them. */
export const KINDS = ["read", "write", "run", "net", "env", "sys"] as const;
export type Kind = typeof KINDS[number];

/** Everything of a kind, or what is listed. Folders are absolute. */
export type Extent = "all" | readonly string[];

/** Flags with Deno's meaning: what `--allow-KIND[=LIST]` and `--deny-KIND[=LIST]` said. */
export interface RightFlags {
  readonly allow: Partial<Record<Kind, Extent>>;
  readonly deny: Partial<Record<Kind, Extent>>;
}

/** What this process may do: the flags it was started with, and what Deno itself grants. */
export interface Grants {
  /** Whether everything that `value` names is granted; without a value, the whole kind. */
  allows(kind: Kind, value?: string): boolean;
  /** What the flags name, for people and for `rights`; Deno may grant less. */
  extent(kind: Kind): Extent;
  /** What the flags deny, as they name it; it is stronger. */
  denied(kind: Kind): Extent;
}

/** Asks the runtime for a right; true where it is granted without a prompt. */
export type RuntimeQuery = (kind: Kind, value?: string) => boolean;

/** What a person grants by starting Cordon in a folder, without any flag. */
export interface Defaults {
  readonly workspace: string;
  readonly state?: string;
  /** The configured provider, as `host:port`; none for a script. */
  readonly providers: readonly string[];
}

/**
 * The rights of this process: the flags (or, without any `--allow-*`, the defaults), less what is
 * denied, less what the runtime does not grant. As in Deno, one `--allow-*` replaces all defaults.
 */
export function grantsOf(flags: RightFlags, defaults: Defaults, runtime: RuntimeQuery): Grants {
  const named = Object.keys(flags.allow).length > 0;
  const extents = named ? flags.allow : defaultExtents(defaults);
  function extent(kind: Kind): Extent {
    return flags.deny[kind] === "all" ? [] : extents[kind] ?? [];
  }
  return {
    extent,
    denied: (kind) => flags.deny[kind] ?? [],
    allows(kind, value) {
      const denied = flags.deny[kind];
      if (denied !== undefined && (value === undefined || covers(kind, denied, value))) {
        return false;
      }
      return covers(kind, extent(kind), value) && runtime(kind, value);
    },
  };
}

function defaultExtents(defaults: Defaults): Record<Kind, Extent> {
  const folders = [defaults.workspace, ...(defaults.state === undefined ? [] : [defaults.state])];
  return {
    read: folders,
    write: folders,
    run: "all",
    net: defaults.providers,
    env: "all",
    sys: "all",
  };
}

/** Whether an extent holds a value, by Deno's rules: folders cover what lies below them. */
export function covers(kind: Kind, extent: Extent, value?: string): boolean {
  if (extent === "all") return true;
  if (value === undefined) return false;
  return extent.some((item) => coversItem(kind, item, value));
}

function coversItem(kind: Kind, item: string, value: string): boolean {
  switch (kind) {
    case "read":
    case "write":
      return isInside(value, item);
    case "env":
      return item.endsWith("*") ? value.startsWith(item.slice(0, -1)) : item === value;
    case "net":
      return coversHost(item, value);
    case "run":
    case "sys":
      return item === value;
  }
}

/** `host` covers all its ports, `*.host` also what lies below it (Deno 2.9). */
function coversHost(item: string, value: string): boolean {
  const [itemHost, itemPort] = splitPort(item.toLowerCase());
  const [host, port] = splitPort(value.toLowerCase());
  if (itemPort !== undefined && itemPort !== port) return false;
  if (!itemHost.startsWith("*.")) return itemHost === host;
  return host === itemHost.slice(2) || host.endsWith(itemHost.slice(1));
}

function splitPort(host: string): [host: string, port: string | undefined] {
  const match = /^(.*?)(?::(\d+))?$/.exec(host);
  const name = match?.[1] ?? host;
  // An IPv6 address without brackets has no port.
  return name.includes(":") && !name.startsWith("[") ? [host, undefined] : [name, match?.[2]];
}

/** Whether a path is a folder or lies below it. Both are absolute. */
export function isInside(path: string, folder: string): boolean {
  const inner = resolve(path);
  const outer = resolve(folder);
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
