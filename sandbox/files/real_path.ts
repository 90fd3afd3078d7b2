import { basename, dirname, join, resolve } from "node:path";
import { isForbidden, isMissing } from "./system_errors.ts";

/** How many links in a row Linux follows before it answers ELOOP (path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * Where an absolute path really leads, links resolved; unlike `Deno.realPath` also for what is not
 * there (yet): a missing name, or the target of a dangling link, is resolved through its nearest
 * existing parent. Where this process may not look, the rest stands as it was written.
 * @throws the system's error where links lead in a circle.
 */
export function realPath(path: string): Promise<string> {
  return follow(path, MAX_LINKS);
}

async function follow(path: string, linksLeft: number): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!isMissing(error) && !isForbidden(error)) throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const here = join(await follow(parent, linksLeft), basename(path));
  const target = await linkTarget(here);
  if (target === undefined) return here;
  if (linksLeft === 0) throw new Deno.errors.FilesystemLoop(`Cannot resolve "${path}"`);
  return await follow(resolve(dirname(here), target), linksLeft - 1);
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await Deno.readLink(path);
  } catch {
    // No link, not there, or not to be seen: each way there is nothing to follow.
    return undefined;
  }
}
