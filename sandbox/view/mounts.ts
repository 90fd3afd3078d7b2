import { dirname } from "node:path";
import { isInside } from "../rights/grants.ts";

/** One step in building the file system of a view. All paths are absolute. */
export type Mount =
  /** Shows `source` of the host at `target`; `optional`: nothing where it is not there. */
  | {
    readonly kind: "bind";
    readonly access: "read" | "write";
    readonly source: string;
    readonly target: string;
    readonly optional?: boolean;
  }
  /** The whole host as it is, devices too. */
  | { readonly kind: "host" }
  | { readonly kind: "link"; readonly to: string; readonly target: string }
  | { readonly kind: "folder"; readonly target: string }
  | { readonly kind: "memory"; readonly target: string; readonly bytes: number }
  /** Hides a file: it cannot be read or written. */
  | { readonly kind: "hide"; readonly target: string }
  /** Makes a mount read-only, what was mounted in it not. */
  | { readonly kind: "seal"; readonly target: string }
  | { readonly kind: "devices" }
  | { readonly kind: "processes"; readonly fresh: boolean };

/** A folder of the host that stands at `target` and whose content commands write. */
export interface PrivateArea {
  readonly source: string;
  readonly target: string;
}

/** A mount point in a private area, which has to be there before a view is built. */
export interface MountPoint {
  readonly area: PrivateArea;
  /** Relative to the area; each folder on the way as an entry of its own comes before. */
  readonly path: string;
}

/**
 * Binds every folder between `root` and `path` onto itself: a folder that holds a mount point can be
 * renamed, one that is a mount point cannot. Without `root` and `path` themselves.
 */
export function pinsBetween(root: string, path: string): Mount[] {
  return foldersBetween(root, path).map((folder) => writable(folder, folder));
}

/** The folders strictly between two, outermost first. */
export function foldersBetween(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== root && isInside(folder, root);) {
    folders.unshift(folder);
    folder = dirname(folder);
  }
  return folders;
}

/**
 * Mounts of which some lie in private areas or are areas themselves, with a pin for each folder on
 * the way. Commands write these areas, so a folder on the way could become a link, and the next view
 * would be built where it leads.
 */
export function pinInAreas(
  mounts: readonly Mount[],
  areas: readonly PrivateArea[],
): { mounts: Mount[]; points: MountPoint[] } {
  const result: Mount[] = [];
  const points: MountPoint[] = [];
  /** Targets so far, and the area whose content each shows. */
  const placed = new Map<string, PrivateArea | undefined>();
  for (const mount of mounts) {
    if (mount.kind === "bind") {
      const { target } = mount;
      const area = areaAround(target, placed);
      if (area) {
        const inArea = (path: string) => path.slice(area.target.length + 1);
        const pins = foldersBetween(area.target, target).filter((folder) => !placed.has(folder));
        pins.forEach((folder) => placed.set(folder, area));
        points.push(...[...pins, target].map((path) => ({ area, path: inArea(path) })));
        result.push(...pins.map((path) => writable(`${area.source}/${inArea(path)}`, path)));
      }
      placed.set(target, areas.find((area) => area.target === target));
    }
    result.push(mount);
  }
  return { mounts: result, points };
}

/** The area whose content the mount around a target shows. */
function areaAround(
  target: string,
  placed: ReadonlyMap<string, PrivateArea | undefined>,
): PrivateArea | undefined {
  const around = [...placed.keys()]
    .filter((other) => other !== target && isInside(target, other))
    .sort((a, b) => b.length - a.length)[0];
  return around === undefined ? undefined : placed.get(around);
}

export function readable(path: string): Mount {
  return { kind: "bind", access: "read", source: path, target: path };
}

export function writable(source: string, target: string): Mount {
  return { kind: "bind", access: "write", source, target };
}
