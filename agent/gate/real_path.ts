import { basename, dirname, join } from "node:path";
import type { ReadFiles } from "../../sandbox/files/files.ts";

/**
 * Where a path leads, links followed, since a link to a folder of hooks has any name; of a file that
 * is not there, where it would be made.
 */
export async function realPath(
  files: Pick<ReadFiles, "stat">,
  path: string,
): Promise<string | undefined> {
  const found = await files.stat(path);
  if (found.ok) return found.facts.real;
  const folder = dirname(path);
  if (folder === path) return undefined;
  const real = await realPath(files, folder);
  return real === undefined ? undefined : join(real, basename(path));
}
