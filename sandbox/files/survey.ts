import { join } from "node:path";
import type { Extent, FileStamp } from "./files.ts";
import type { Place } from "./guard.ts";
import { isForbidden, isMissing } from "./system_errors.ts";
import { walkFiles } from "./walk.ts";

/** Files of one survey and how much of the tree was seen; those that cannot be looked at are left out. */
export type Surveyed = { readonly files: FileStamp[] } & Extent;

/**
 * The regular files below a real folder as `walk` finds them, ignore files respected, each with what
 * tells whether it has changed.
 */
export async function surveyFiles({ real }: Place, top: string): Promise<Surveyed> {
  const { files, stopped, unreadable } = await walkFiles({ real, top });
  // One synchronous call costs some microseconds, an asynchronous one a hundred.
  const stamps = files.flatMap((path) => stampOf(real, path) ?? []);
  return { files: stamps, stopped, unreadable };
}

/** Undefined for what is gone, or has a name that cannot be said: then nothing can be read there. */
function stampOf(folder: string, path: string): FileStamp | undefined {
  try {
    const { isFile, size, mtime, ino } = Deno.lstatSync(join(folder, path));
    if (!isFile) return undefined;
    return { path, size, mtimeMs: mtime?.getTime() ?? 0, inode: ino ?? 0 };
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return undefined;
    throw error;
  }
}
