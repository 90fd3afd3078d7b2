import type { Approver } from "../gate/approver.ts";
import type { Places } from "../places.ts";
import { loadConfig } from "./load.ts";
import { MCP_FILE } from "./project.ts";
import { keepTrust } from "./trust.ts";

/**
 * Asks a person once whether a project's own configuration may do more than narrow, where it wants
 * to and nothing was said of it yet; yes and no are both kept, until the files change.
 * @throws {ConfigurationError}
 */
export async function askForTrust(places: Places, approve: Approver): Promise<void> {
  const { project } = loadConfig(places);
  const { state, workspace } = places;
  const { mcpFiles } = project;
  const wants = [
    ...(project.refused.length > 0 ? [`sets ${project.refused.join(", ")}`] : []),
    ...(mcpFiles.length > 0 ? [`starts the MCP servers of ${MCP_FILE}`] : []),
  ];
  if (project.trust !== "unasked" || wants.length === 0 || state === undefined) return;
  const wanted = Object.fromEntries([
    ...project.files.map(({ path, config }) => [path, config]),
    ...mcpFiles.map(({ path, text }) => [path, text]),
  ]);
  const { decision, by } = await approve({
    callId: "",
    tool: "This project's configuration",
    arguments: JSON.stringify(wanted),
    reason: `it ${wants.join(" and ")}, which it may not before you trust it`,
    ask: `Trust ${workspace}?`,
    once: "until these files change",
  }, new AbortController().signal);
  // Who left without an answer is asked again.
  if (by !== "person") return;
  keepTrust(state, workspace, { trusted: decision === "allow", files: project.texts });
}
