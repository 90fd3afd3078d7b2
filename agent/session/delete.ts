import { reasonOf, SessionLogError } from "./error.ts";
import { cannotOpen, logPath } from "./log.ts";
import { LogFile } from "./log_file.ts";

/**
 * Deletes a session for good: its log, and the files beside it.
 * @throws {SessionLogError} "missing", "locked" where another has it open, or "write".
 */
export async function deleteSession(folder: string, id: string): Promise<void> {
  const path = logPath(folder, id);
  const file = await open(path);
  try {
    // The log goes first: without it nothing names the other files.
    await Deno.remove(path);
    await Deno.remove(path.slice(0, -".jsonl".length), { recursive: true });
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return;
    throw new SessionLogError("write", path, `Cannot delete "${path}": ${reasonOf(cause)}`, {
      cause,
    });
  } finally {
    await file.close();
  }
}

async function open(path: string): Promise<LogFile> {
  try {
    return (await LogFile.open(path)).file;
  } catch (cause) {
    throw cause instanceof SessionLogError ? cause : cannotOpen(path, cause);
  }
}
