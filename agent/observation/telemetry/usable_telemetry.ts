import type { TelemetryChoice, TelemetrySettings } from "./telemetry_settings.ts";

/** Traces as they can be had. */
export interface UsableTelemetry {
  /** Absent where none are sent. */
  readonly settings?: TelemetrySettings;
  /** Sentences on why not, although they were asked for. */
  readonly warnings: readonly string[];
}

/**
 * What of the wish for traces the rights allow. `host` is the collector's, and granted where a
 * person's flags say nothing else: the variable that names it is a person's word, too. Pure.
 */
export function usableTelemetry(
  choice: TelemetryChoice,
  host: string | undefined,
  isGranted: (host: string) => boolean,
): UsableTelemetry {
  switch (choice.kind) {
    case "off":
      return { warnings: [] };
    case "unusable":
      return { warnings: [`Cannot send traces: ${choice.why}`] };
    case "on":
      if (host !== undefined && isGranted(host)) return { settings: choice.settings, warnings: [] };
      return { warnings: [`Cannot send traces to ${host}: it is not granted, see --allow-net`] };
  }
}
