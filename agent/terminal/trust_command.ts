import type { OptionValues } from "../command_line/options.ts";
import { UsageError } from "../command_line/parse.ts";
import { projectRoleFiles } from "../children/role_files.ts";
import { keysOf } from "../config/narrow.ts";
import { readProjectFiles } from "../config/project.ts";
import { keepGitStore } from "../agreements.ts";
import { keepTrust } from "../config/trust.ts";
import { linkedStore } from "../linked_store.ts";
import { findPlaces } from "../places.ts";
import { projectSkillFiles } from "../skills/find_skills.ts";
import { projectCommandFiles } from "./slash/user/load.ts";
import { usingStateNow } from "../state_error.ts";
import type { Host } from "./headless.ts";

/**
 * `cordon trust` and `cordon untrust`: what was kept, in words.
 * @throws {UsageError} where there is nothing to trust, or nowhere to keep it.
 * @throws {ConfigurationError} for a project file that cannot be used.
 */
export async function runTrust(
  command: "trust" | "untrust",
  options: OptionValues,
  { env, cwd }: Host,
): Promise<string> {
  const places = findPlaces(options, env, cwd);
  const { state, workspace } = places;
  if (state === undefined) {
    throw new UsageError(
      "Cannot keep whom you trust: no folder for it is known, name it by --state",
    );
  }
  const store = linkedStore(workspace);
  if (command === "untrust") {
    usingStateNow(state, () => {
      keepTrust(state, workspace, undefined);
      if (store !== undefined) keepGitStore(state, store, undefined);
    });
    return `No longer trusted: ${workspace}\n`;
  }
  const { files, mcpFiles, texts } = readProjectFiles(workspace);
  const commands = await projectCommandFiles(workspace);
  const skills = await projectSkillFiles(places);
  const agents = await projectRoleFiles(workspace);
  const found = [files, mcpFiles, commands, skills, agents];
  if (store === undefined && found.every((list) => list.length === 0)) {
    throw new UsageError(
      `Nothing to trust: "${workspace}" and the project around it have no .cordon/config.jsonc, ` +
        "no .mcp.json, no .cordon/commands, no .cordon/agents, no skills and no git store elsewhere",
    );
  }
  usingStateNow(state, () => {
    keepTrust(state, workspace, { trusted: true, files: texts });
    if (store !== undefined) keepGitStore(state, store, true);
  });
  const lines = [
    ...files.map(({ path, config }) => `  ${path}: ${keysOf(config).join(", ")}\n`),
    ...mcpFiles.map(({ path }) => `  ${path}: its MCP servers\n`),
  ];
  const trusted = lines.length > 0
    ? `Trusted until they change, for ${workspace}:\n${lines.join("")}`
    : `Trusted: ${workspace}\n`;
  const names = commands.map(({ name, path }) => `  /${name}: ${path}\n`);
  return [
    trusted,
    ...(names.length > 0 ? [`Commands that can be given there:\n${names.join("")}`] : []),
    ...(skills.length > 0
      ? [`Skills that can be used there:\n${skills.map((path) => `  ${path}\n`).join("")}`]
      : []),
    ...(store === undefined ? [] : [`Git store that commands there may use: ${store}\n`]),
    ...(agents.length > 0
      ? [`Sub-agents that can be started there:\n${agents.map((path) => `  ${path}\n`).join("")}`]
      : []),
  ].join("");
}
