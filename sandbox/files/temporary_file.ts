import { join } from "node:path";
import { isAt } from "./checked_open.ts";
import { realPath } from "./real_path.ts";
import { isMissing } from "./system_errors.ts";
import { lockTemporary, temporaryName } from "./temporary_name.ts";

/** Whose mode and owner a temporary file takes on. */
export interface Likeness {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** A file that is to take another's place; gone when its block ends, unless it got its name by then. */
export interface TemporaryFile extends AsyncDisposable {
  readonly path: string;
}

/**
 * Writes a new file of a random name in the real folder, flushed to the disk. It is locked until its
 * block ends, which tells it from what a killed process left (`temporary_name.ts`). Its mode and owner are those of `like`, the owner where the system lets us; without `like`
 * it is as any new file, or of the given mode. Undefined where the folder is no longer the one
 * that was found: no byte is written through a link that took its place. Where it throws, the file
 * is gone again.
 */
export async function createTemporary(
  folder: string,
  bytes: Uint8Array,
  { like, mode }: { like?: Likeness; mode?: number } = {},
): Promise<TemporaryFile | undefined> {
  const path = join(folder, temporaryName());
  const options = { write: true, createNew: true, ...(like ? { mode: 0o600 } : {}) };
  const file = await Deno.open(path, options);
  const dispose = async () => {
    await removeIfThere(path);
    file.close();
  };
  try {
    lockTemporary(file);
    // Still empty here: all that a swap at the wrong moment can leave elsewhere is an empty file.
    if (!isAt(path, await file.stat())) {
      await removeIfThere(await realPath(path));
      file.close();
      return undefined;
    }
    await writeAll(file, bytes);
    if (like) await liken(path, file, like);
    if (mode !== undefined) await Deno.chmod(path, mode & 0o777);
    await file.sync();
  } catch (error) {
    await dispose();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: dispose };
}

/** Removes a file; that it is not there is fine. */
export async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

async function liken(path: string, file: Deno.FsFile, { mode, uid, gid }: Likeness) {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) await giveTo(path, uid, gid);
  // After the owner: a change of owner clears the set-user-id bits.
  await Deno.chmod(path, mode & 0o7777);
}

async function giveTo(path: string, uid: number, gid: number): Promise<void> {
  try {
    await Deno.chown(path, uid, gid);
  } catch (error) {
    // Only root may give files away; then the new file is ours, as with any editor.
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
  }
}
