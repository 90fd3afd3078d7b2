import { reasonOf, SessionLogError } from "./error.ts";
import { cannotOpen, logPath } from "./log.ts";
import { LogFile } from "./log_file.ts";

/**
 * Deletes a session for good: its log, whatever lies in the place of one, and the files beside it.
 * @throws {SessionLogError} "missing", "locked" where another has it open, or "write".
 */
export async function deleteSession(folder: string, id: string): Promise<void> {
  const path = logPath(folder, id);
  const file = await openIfLog(path);
  try {
    // The log goes first: without it nothing names the other files. A folder may lie in its place.
    await Deno.remove(path, { recursive: true });
    await Deno.remove(path.slice(0, -".jsonl".length), { recursive: true });
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return;
    throw new SessionLogError("write", path, `Cannot delete "${path}": ${reasonOf(cause)}`, {
      cause,
    });
  } finally {
    await file?.close();
  }
}

/** Undefined where it cannot be opened: then nobody has it open as a log either. */
async function openIfLog(path: string): Promise<LogFile | undefined> {
  try {
    return (await LogFile.open(path)).file;
  } catch (cause) {
    const error = cause instanceof SessionLogError ? cause : cannotOpen(path, cause);
    if (error.kind !== "unreadable") throw error;
    // A link that leads nowhere is a name without a file.
    return undefined;
  }
}
