import { dirname, join } from "node:path";
import { nodeFs } from "../files/node_fs.ts";
import { isForbidden, isLinkLoop, isMissing } from "../files/system_errors.ts";
import { temporaryName } from "../files/temporary_name.ts";
import { isSame, type Seen, SET_IDS } from "./scan.ts";
import { lookAt } from "./walk_tree.ts";

/**
 * The content of a file, or the target of a link; undefined for what is larger than `maxBytes`,
 * something else, not readable or not what was seen. Never waits, since a FIFO is never opened.
 */
export function readSeen(root: string, seen: Seen, maxBytes: number): Uint8Array | undefined {
  const path = join(root, seen.path);
  try {
    if (seen.kind === "link") return new TextEncoder().encode(Deno.readLinkSync(path));
    if (seen.kind !== "file" || seen.size > maxBytes) return undefined;
    const bytes = readFile(path, seen.inode, maxBytes);
    // Of a folder that became a link since, the file would be another's, whatever its number.
    return isRealFolder(root, dirname(seen.path)) ? bytes : undefined;
  } catch (error) {
    if (isMissing(error) || isForbidden(error) || isLinkLoop(error)) return undefined;
    throw error;
  }
}

function readFile(path: string, inode: number, maxBytes: number): Uint8Array | undefined {
  // A link or FIFO that took the file's place since is neither followed nor waited for.
  const { closeSync, constants, fstatSync, openSync, readSync } = nodeFs();
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.ino !== inode || stats.size > maxBytes) return undefined;
    // One byte more, to notice a file that grows.
    const bytes = new Uint8Array(stats.size + 1);
    let length = 0;
    for (let count = 1; count > 0 && length < bytes.length; length += count) {
      count = readSync(file, bytes, length, bytes.length - length, null);
    }
    return length > stats.size ? undefined : bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Whether a path still leads, without any link, to what was seen. */
export function isStill(root: string, seen: Seen): boolean {
  const now = lookAt(root, seen.path, seen.reason);
  return now !== undefined && isSame(now, seen) && isRealFolder(root, dirname(seen.path));
}

/** Whether no name from `root` down to a folder below it is a link. */
export function isRealFolder(root: string, folder: string): boolean {
  try {
    return Deno.realPathSync(join(root, folder)) === join(root, folder);
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return false;
    throw error;
  }
}

/** Removes a file or link that still is what was seen; false where it is not. */
export function removeSeen(root: string, seen: Seen): boolean {
  if (!isStill(root, seen)) return false;
  Deno.removeSync(join(root, seen.path));
  return true;
}

/** Takes the set-id bits off a file that still is what was seen; false where it is not. */
export function clearSetIds(root: string, seen: Seen): boolean {
  const now = lookAt(root, seen.path, seen.reason);
  if (now?.kind !== "file" || now.inode !== seen.inode) return false;
  if (!isRealFolder(root, dirname(seen.path))) return false;
  Deno.chmodSync(join(root, seen.path), now.mode & ~SET_IDS);
  return true;
}

/**
 * Puts a file or link in place in a real folder, by a temporary name, so that it is there whole or
 * not at all and nothing is written through a link.
 */
export function putInPlace(
  root: string,
  path: string,
  content: { readonly kind: "file" | "link"; readonly bytes: Uint8Array; readonly mode: number },
): void {
  const target = join(root, path);
  const temporary = join(dirname(target), temporaryName());
  if (content.kind === "link") {
    Deno.symlinkSync(new TextDecoder().decode(content.bytes), temporary);
  } else {
    Deno.writeFileSync(temporary, content.bytes, { createNew: true, mode: 0o600 });
    Deno.chmodSync(temporary, content.mode & 0o777);
  }
  try {
    Deno.renameSync(temporary, target);
  } catch (error) {
    Deno.removeSync(temporary);
    throw error;
  }
}
