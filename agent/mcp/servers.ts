import type { ConfigFile } from "../config/files.ts";
import type { LoadedConfig } from "../config/load.ts";
import { ConfigurationError, parseJsonFile } from "../json_file.ts";
import { mcpServerSchema, type ServerSettings } from "./server_schema.ts";

/** A server that somebody configured. */
export interface McpServer {
  readonly name: string;
  /** Whose word it is; only a person's own may say that no yes is needed. */
  readonly origin: "person" | "project";
  /** The file that names it. */
  readonly path: string;
  readonly settings: ServerSettings;
}

/** The servers of a run, and sentences about what is wrong with their files. */
export interface ConfiguredServers {
  readonly servers: readonly McpServer[];
  readonly warnings: readonly string[];
}

/** Whether any file names servers; cheap, for runs without any. */
export function namesServers({ files, project }: Pick<LoadedConfig, "files" | "project">): boolean {
  const trusted = project.trust === "trusted";
  return (trusted && project.mcpFiles.length > 0) ||
    files.some((file) => file.config.mcp !== undefined && (trusted || !isOf(project.files, file)));
}

/**
 * The servers that the configuration names, by name; of two with one name that of the nearest file,
 * in which a project has the last word once it is trusted. What is wrong in a `.mcp.json`, which is
 * written for many agents, is told and passed over.
 */
export function configuredServers(
  { files, project }: Pick<LoadedConfig, "files" | "project">,
): ConfiguredServers {
  const warnings: string[] = [];
  const byName = new Map<string, McpServer>();
  const trusted = project.trust === "trusted";
  function add(file: ConfigFile, origin: McpServer["origin"]): void {
    for (const [name, settings] of Object.entries(file.config.mcp ?? {})) {
      byName.set(name, { name, origin, path: file.path, settings });
    }
  }
  const own = files.filter((file) => !isOf(project.files, file));
  own.toReversed().forEach((file) => add(file, "person"));
  if (trusted) {
    for (const { path, text } of project.mcpFiles.toReversed()) {
      const read = readMcpFile(path, text);
      warnings.push(...read.warnings);
      for (const server of read.servers) byName.set(server.name, server);
    }
    project.files.toReversed().forEach((file) => add(file, "project"));
  }
  const servers = [...byName.values()].sort((a, b) => a.name < b.name ? -1 : 1);
  return { servers, warnings };
}

function isOf(files: readonly ConfigFile[], file: ConfigFile): boolean {
  return files.some(({ path }) => path === file.path);
}

/** The servers of a `.mcp.json`; each that cannot be used is told by name. */
export function readMcpFile(path: string, text: string): ConfiguredServers {
  const listed = serversIn(path, text);
  if ("problem" in listed) return { servers: [], warnings: [listed.problem] };
  const servers: McpServer[] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(listed.entries)) {
    const parsed = mcpServerSchema.safeParse(value);
    if (parsed.success) {
      servers.push({ name, origin: "project", path, settings: parsed.data });
    } else warnings.push(`${path}: server "${name}" is passed over: ${whyNot(value)}`);
  }
  return { servers, warnings };
}

function serversIn(
  path: string,
  text: string,
): { readonly entries: object } | { readonly problem: string } {
  try {
    const value = parseJsonFile(path, text.replace(/^\uFEFF/, ""), true);
    const found = typeof value === "object" && value !== null && "mcpServers" in value
      ? value.mcpServers
      : undefined;
    if (typeof found === "object" && found !== null && !Array.isArray(found)) {
      return { entries: found };
    }
    return { problem: `${path} is passed over: it has no object "mcpServers"` };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { problem: `${path} is passed over: ${error.message}` };
  }
}

function whyNot(value: unknown): string {
  if (typeof value === "object" && value !== null && "type" in value && value.type === "sse") {
    return 'its type "sse" has gone from the protocol, servers on the web are of type "http"';
  }
  return 'it needs a "command" with text arguments, or a "url" of http or https';
}
