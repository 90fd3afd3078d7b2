import type { ChildStanding } from "../children/messages.ts";
import type { OptionValues } from "../command_line/options.ts";
import { UsageError } from "../command_line/parse.ts";
import type { Launch } from "../launch.ts";
import type { Recorders } from "../observation/recorders.ts";
import type { Redaction } from "../redaction.ts";
import { hostOf, scriptOf } from "../settings.ts";
import { VERSION } from "../version.ts";

/** What recorders are opened with. */
export interface RecordersNeeds {
  readonly options: OptionValues;
  readonly launch: Launch;
  readonly redaction: Redaction;
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
  needs: RecordersNeeds,
): Promise<void> {
  await addLog(records, needs);
  await addTraces(records, needs);
}

/**
 * Finds out early whether runs that are still to be started can write the log that a person asked for.
 * @throws {UsageError} where they cannot.
 */
export async function checkLog(
  { options: { log }, launch }: Pick<RecordersNeeds, "options" | "launch">,
): Promise<void> {
  if (log === undefined) return;
  const { openDebugLog } = await import("../observation/debug_log/open_debug_log.ts");
  await openDebugLog(log, launch, { warn() {} }).close();
}

async function addLog(
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

async function addTraces(
  records: Recorders,
  { launch: { telemetry, settings }, redaction, child, warn }: RecordersNeeds,
): Promise<void> {
  if (!telemetry) return;
  const { openTelemetry } = await import("../observation/telemetry/open_telemetry.ts");
  const { provider, model } = settings;
  const isScript = scriptOf(model) !== undefined;
  records.add(openTelemetry({
    settings: telemetry,
    facts: {
      agent: child?.role ?? "cordon",
      version: VERSION,
      provider: isScript ? "scripted" : provider.name,
      ...(!isScript && { server: serverOf(hostOf(provider)) }),
      maxOutputTokens: provider.maxOutputTokens,
    },
    secret: (value) => redaction.learn([{ name: "header of traces", value }]),
    ...{ warn, fetch },
  }));
}

/** The two halves of `host:port`. */
function serverOf(host: string): { readonly address: string; readonly port: number } {
  const colon = host.lastIndexOf(":");
  return { address: host.slice(0, colon), port: Number(host.slice(colon + 1)) };
}
