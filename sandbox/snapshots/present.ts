import { dirname } from "node:path";
import { isForbidden, isMissing } from "../files/system_errors.ts";
import { digestOf } from "./digest.ts";
import type { PathState } from "./entry.ts";
import { readOwn } from "./read_own.ts";
import { modeOf } from "./seen.ts";

/** A workspace as it is now; paths are relative to its root. */
export interface Present {
  /** What lies at a path; undefined where nothing does. Content is read and hashed. */
  state(path: string): PathState | undefined;
  /** The names in a folder; none where it is none. */
  names(path: string): readonly string[];
}

/** Looks at the workspace whose root this is (absolute, links resolved), no further than that. */
export function presentIn(root: string): Present {
  return {
    state(path) {
      if (!isBelow(root, path)) return undefined;
      return orLeftOut(() => stateAt(`${root}/${path}`));
    },
    names(path) {
      if (!isBelow(root, path)) return [];
      return orUndefined(() => [...Deno.readDirSync(`${root}/${path}`)].map(({ name }) => name)) ??
        [];
    },
  };
}

/** Whether the folder around a path is where it says, with no link on the way that leads elsewhere. */
export function isBelow(root: string, path: string): boolean {
  const folder = dirname(`${root}/${path}`);
  return orUndefined(() => Deno.realPathSync(folder)) === folder;
}

function stateAt(absolute: string): PathState | undefined {
  const info = Deno.lstatSync(absolute);
  if (info.isSymlink) return { kind: "link", target: Deno.readLinkSync(absolute) };
  if (info.isDirectory) return { kind: "folder", mode: modeOf(info) };
  if (!info.isFile) return { kind: "left_out", why: "it is a pipe, socket or device" };
  const bytes = readOwn(absolute);
  if (!bytes) return { kind: "left_out", why: "it cannot be read" };
  return { kind: "file", mode: modeOf(info), size: bytes.length, hash: digestOf(bytes) };
}

function orLeftOut(look: () => PathState | undefined): PathState | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (isForbidden(error)) return { kind: "left_out", why: "it cannot be read" };
    throw error;
  }
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return undefined;
    throw error;
  }
}
