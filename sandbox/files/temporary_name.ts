import { isAt } from "./checked_open.ts";
import { errorCode, isForbidden, isMissing } from "./system_errors.ts";

/** What the names of our temporary files look like, and no others do but by intent. */
const TEMPORARY =
  /^\.cordon-(?:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|undo-[0-9a-f]{16})\.tmp$/;

/**
 * A new name for a file that is to take another's place. It does not hold the other's name, which
 * may already be as long as a name can be.
 */
export function temporaryName(): string {
  return `.cordon-${crypto.randomUUID()}.tmp`;
}

/** Whether a file of this name is a temporary one of ours; whoever looks at a tree passes it over. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(".cordon-") && TEMPORARY.test(name);
}

/**
 * Removes a temporary file that a process left behind when it was killed; whether it was one. Whoever
 * writes a temporary file holds a lock on it until it has its own name, so that one without a lock is
 * nobody's any more. Where the file system knows no locks nothing is removed.
 */
export function removeAbandoned(absolute: string): boolean {
  try {
    if (!Deno.lstatSync(absolute).isFile) return false;
    using file = Deno.openSync(absolute);
    // No link on the way may lead to a file that lies elsewhere.
    if (!isAt(absolute, file.statSync()) || !file.tryLockSync(true)) return false;
    Deno.removeSync(absolute);
    return true;
  } catch (error) {
    // It is gone since, or not ours to touch; locks are not known everywhere (ENOLCK, ENOTSUP).
    if (isMissing(error) || isForbidden(error) || isLockless(error)) return false;
    throw error;
  }
}

function isLockless(error: unknown): boolean {
  return ["ENOLCK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EROFS"].includes(errorCode(error) ?? "");
}

/** Takes the lock that tells others that a temporary file is being written; without locks, nothing. */
export function lockTemporary(file: Deno.FsFile): void {
  try {
    file.tryLockSync(true);
  } catch (error) {
    if (!isLockless(error)) throw error;
  }
}
