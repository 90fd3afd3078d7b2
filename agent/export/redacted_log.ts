import { createSweeper } from "../../sandbox/sweep/sweeper.ts";
import { createRedaction } from "../redaction.ts";
import type { LogContents } from "../session/read_log.ts";

/**
 * A log as it may leave the machine. It was written without the secrets that were known by then; what
 * a person typed before the first call, or what became a secret since, is taken out here: whatever
 * looks like a token, and what the session's workspace now holds in its files of secrets.
 */
export async function redactedLog(log: LogContents): Promise<LogContents> {
  // A folder that is gone, or may not be read, has no secrets to tell.
  const redaction = createRedaction(await createSweeper(log.header.cwd).secrets());
  return { ...log, records: redaction.json(log.records) };
}
