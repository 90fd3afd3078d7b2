import type { ChildStanding } from "../children/messages.ts";
import type { OptionValues } from "../command_line/options.ts";
import { UsageError } from "../command_line/parse.ts";
import type { Launch } from "../launch.ts";
import type { Recorders } from "../observation/recorders.ts";

/** What recorders are opened with. */
export interface RecordersNeeds {
  readonly options: OptionValues;
  readonly launch: Launch;
  /** Of a sub-agent. */
  readonly child: Pick<ChildStanding, "parent" | "role"> | undefined;
  /** Takes a sentence that a person should read. */
  readonly warn: (line: string) => void;
}

/**
 * Has a run recorded as its person asked: by a log, by traces, or not at all; the code of each is
 * loaded only then.
 * @throws {UsageError} where the log cannot be written; a sub-agent goes on without one.
 */
export async function openRecorders(
  records: Recorders,
  { options: { log }, launch, child, warn }: RecordersNeeds,
): Promise<void> {
  if (log === undefined) return;
  const { openDebugLog } = await import("../observation/debug_log/open_debug_log.ts");
  try {
    records.add(openDebugLog(log, launch, { warn, ...(child && { parent: child.parent }) }));
  } catch (error) {
    if (!child || !(error instanceof UsageError)) throw error;
    warn(error.message);
  }
}
