import { logPath, readLogFile } from "../session/log.ts";

/**
 * The session of a child as Markdown, without secrets; empty where no log is kept.
 * @throws {SessionLogError} where it cannot be read.
 */
export async function readChildLog(folder: string | undefined, id: string): Promise<string> {
  if (folder === undefined) return "";
  const log = await readLogFile(logPath(folder, id));
  // Few sessions read one.
  const [{ redactedLog }, { transcriptOf }, { markdownOf }] = await Promise.all([
    import("../export/redacted_log.ts"),
    import("../export/transcript.ts"),
    import("../export/markdown.ts"),
  ]);
  return markdownOf(await transcriptOf(await redactedLog(log), () => Promise.resolve(undefined)));
}
