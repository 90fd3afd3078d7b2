import type { OptionValues } from "../command_line/options.ts";
import { prepareLaunch } from "../launch.ts";
import { listSessions } from "../session/list.ts";
import type { Host } from "./headless.ts";
import { flagsReport, rightsReport, sessionsReport, toolsReport } from "./reports.ts";

/** The text of a sub-command that only tells: `tools`, `rights`, `sessions`. */
export async function report(
  command: "tools" | "rights" | "sessions",
  options: OptionValues,
  { env, cwd, streams }: Host,
): Promise<string> {
  const launch = prepareLaunch(options, env, cwd);
  for (const warning of launch.warnings) streams.stderr.write(`warning: ${warning}\n`);
  const { places, rights } = launch;
  switch (command) {
    case "tools":
      return toolsReport(launch.tools);
    case "rights":
      return options.flags
        ? flagsReport(launch, options.tier ?? rights.confinement.tier)
        : rightsReport(launch);
    case "sessions": {
      const all = places.sessions === undefined ? [] : await listSessions(places.sessions);
      return sessionsReport(all.filter((session) => session.cwd === places.workspace));
    }
  }
}
