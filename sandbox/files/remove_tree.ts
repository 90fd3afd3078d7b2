import { isForbidden } from "./system_errors.ts";

/**
 * Removes a file, or a folder with all that is in it: also folders that nobody may write in, as module
 * caches are made of. No link is followed. To be called when nobody works in there.
 * @throws {Deno.errors.NotFound} where nothing is there.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    await openFolders(path);
    await Deno.remove(path, { recursive: true });
  }
}

const OWNER_ALL = 0o700;

/** Gives the owner all rights to a folder and those below; what is another's is left to fail later. */
async function openFolders(folder: string): Promise<void> {
  try {
    if (!(await Deno.lstat(folder)).isDirectory) return;
    await Deno.chmod(folder, OWNER_ALL);
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory) await openFolders(`${folder}/${name}`);
    }
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}
