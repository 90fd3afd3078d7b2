import { isAbsolute } from "node:path";
import { isInside } from "../../sandbox/rights/grants.ts";

/**
 * A PATH without the folders by which a project would hand us programs of its own: those that lie, or
 * lead, into the workspace, and those that are taken from wherever we are.
 */
export async function pathOutside(path: string, workspace: string): Promise<string> {
  const real = await Promise.all(path.split(":").map(realFolder));
  return real.filter((folder) => folder !== undefined && !isInside(folder, workspace)).join(":");
}

/** Undefined for a folder that is not there, or that has no name of its own. */
async function realFolder(folder: string): Promise<string | undefined> {
  if (!isAbsolute(folder)) return undefined;
  try {
    return await Deno.realPath(folder);
  } catch (error) {
    // What this process may not look at is taken by its name.
    if (error instanceof Deno.errors.NotCapable) return folder;
    return undefined;
  }
}
