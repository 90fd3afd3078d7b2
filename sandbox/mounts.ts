import { dirname } from "node:path";
import { isInside } from "./grants.ts";

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
 * Mounts whose targets lie in private areas, with a pin for each folder on the way. Commands write
 * these areas, so a folder on the way could become a link, and the next view would be built where it
 * leads.
 */
export function pinInAreas(
  mounts: readonly Mount[],
  areas: readonly PrivateArea[],
): { mounts: Mount[]; points: MountPoint[] } {
  const result: Mount[] = [];
  const points: MountPoint[] = [];
  const pinned = new Set<string>();
  const covered: string[] = [];
  for (const mount of mounts) {
    const target = mount.kind === "bind" ? mount.target : undefined;
    const area = target === undefined || covered.some((other) => isInside(target, other))
      ? undefined
      : innermost(areas, target);
    if (area && target !== undefined) {
      for (const folder of foldersBetween(area.target, target)) {
        if (pinned.has(folder)) continue;
        pinned.add(folder);
        const path = folder.slice(area.target.length + 1);
        points.push({ area, path });
        result.push(writable(`${area.source}/${path}`, folder));
      }
      points.push({ area, path: target.slice(area.target.length + 1) });
      covered.push(target);
    }
    result.push(mount);
  }
  return { mounts: result, points };
}

function innermost(areas: readonly PrivateArea[], target: string): PrivateArea | undefined {
  return areas
    .filter((area) => area.target !== target && isInside(target, area.target))
    .sort((a, b) => b.target.length - a.target.length)[0];
}

export function readable(path: string): Mount {
  return { kind: "bind", access: "read", source: path, target: path };
}

export function writable(source: string, target: string): Mount {
  return { kind: "bind", access: "write", source, target };
}
