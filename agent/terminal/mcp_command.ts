import { join } from "node:path";
import type { OptionValues } from "../command_line/options.ts";
import { type Invocation, UsageError } from "../command_line/parse.ts";
import { loadConfig } from "../config/load.ts";
import { MCP_FILE } from "../config/project.ts";
import { EXIT } from "../exit_code.ts";
import { describeServer } from "../mcp/describe_server.ts";
import { hasServer, type ServerFile, writeServer } from "../mcp/edit_servers.ts";
import { isStdio, mcpServerSchema, type ServerSettings } from "../mcp/server_schema.ts";
import { configuredServers, type McpServer } from "../mcp/servers.ts";
import { findPlaces, type Places } from "../places.ts";
import type { Host } from "./headless.ts";
import { stripControls } from "./printable.ts";

/** What may stand behind `cordon mcp`. */
const VERBS = ["list", "add", "remove", "test", "login", "logout", "serve"] as const;
type Verb = typeof VERBS[number];

/**
 * `cordon mcp`: the servers that are configured, and ourselves as one; resolves to the exit code.
 * @throws {UsageError}
 * @throws {ConfigurationError}
 */
export async function runMcp(invocation: Invocation, host: Host): Promise<number> {
  const [verb = "list", ...words] = invocation.operands;
  const { options } = invocation;
  const known = VERBS.find((other) => other === verb);
  if (known === undefined) {
    throw new UsageError(`Cannot "${verb}" MCP servers: there are ${VERBS.join(", ")}`);
  }
  switch (known) {
    case "list":
      return await tell(host, listServers(options, words, host));
    case "add":
      return await tell(host, addServer(options, words, host));
    case "remove":
      return await tell(host, removeServer(options, words, host));
    case "logout":
      return await tell(host, await logOut(options, words, host));
    case "login": {
      const { runLogin } = await import("./mcp_login.ts");
      return await runLogin(options, configured(options, words, known, host), host);
    }
    case "test": {
      const { runTest } = await import("./mcp_test.ts");
      const named = words.length > 0 ? [configured(options, words, known, host)] : undefined;
      return await runTest(options, named, host);
    }
    case "serve": {
      if (words.length > 0) throw new UsageError("Cannot serve that: --tools names what is served");
      const { runServe } = await import("./mcp_serve.ts");
      return await runServe(options, host);
    }
  }
}

async function tell({ streams }: Host, text: string): Promise<number> {
  streams.stdout.write(text);
  await streams.stdout.flush();
  return EXIT.done;
}

function listServers(options: OptionValues, words: readonly string[], host: Host): string {
  if (words.length > 0) throw new UsageError("Cannot list that: cordon mcp list takes nothing");
  const loaded = loadConfig(findPlaces(options, host.env, host.cwd));
  const { servers, warnings } = configuredServers(loaded);
  for (const line of [...loaded.warnings, ...warnings]) {
    host.streams.stderr.write(`warning: ${stripControls(line)}\n`);
  }
  if ((options["output-format"] ?? "text") !== "text") {
    const rows = servers.map(({ name, origin, path, settings }) => ({
      ...{ name, origin, path, enabled: settings.enabled !== false },
      ...(isStdio(settings)
        ? { command: [settings.command, ...settings.args ?? []] }
        : { url: settings.url }),
    }));
    return `${JSON.stringify({ type: "mcp_servers", servers: rows })}\n`;
  }
  if (servers.length === 0) {
    return "No MCP server is configured: cordon mcp add NAME -- COMMAND, or cordon mcp add NAME URL\n";
  }
  return servers.map((server) => `${describeServer(server).join("\n")}\n`).join("");
}

/** The one server of a name. @throws {UsageError} where there is none. */
function configured(
  options: OptionValues,
  words: readonly string[],
  verb: Verb,
  host: Host,
): McpServer {
  const [name, ...more] = words;
  if (name === undefined || more.length > 0) {
    throw new UsageError(`Cannot ${verb} that: cordon mcp ${verb} NAME`);
  }
  const { servers } = configuredServers(loadConfig(findPlaces(options, host.env, host.cwd)));
  const found = servers.find((server) => server.name === name);
  if (found) return found;
  const names = servers.map((server) => server.name).join(", ") || "none";
  throw new UsageError(`There is no MCP server "${name}"; configured are: ${names}`);
}

function addServer(options: OptionValues, words: readonly string[], host: Host): string {
  const [name, ...what] = words;
  if (name === undefined || what.length === 0) {
    throw new UsageError("Cannot add that: cordon mcp add NAME -- COMMAND ARGS, or NAME URL");
  }
  if (!/^[A-Za-z0-9][\w.-]{0,39}$/.test(name)) {
    throw new UsageError(
      `Cannot add "${name}": a name begins with a letter or digit, and has letters, digits, ".", "_" and "-"`,
    );
  }
  const file = fileFor(options, findPlaces(options, host.env, host.cwd));
  if (hasServer(file, name) && !options.replace) {
    throw new UsageError(`Cannot add "${name}": "${file.path}" has it already, see --replace`);
  }
  writeServer(file, name, settingsOf(what, options));
  const trust = file.key === "mcpServers" ? "; cordon trust lets it be used" : "";
  return `${name} is in ${file.path}${trust}\n`;
}

/** What words and options say of a server. @throws {UsageError} */
function settingsOf(words: readonly string[], options: OptionValues): ServerSettings {
  const [first = "", ...rest] = words;
  const { network, read, write, allow } = options;
  const env = Object.fromEntries((options.env ?? []).map((name) => [name, `\${${name}}`]));
  const alone = rest.length === 0;
  const said = alone && first.startsWith("{")
    ? parsed(first)
    : alone && /^[a-z][a-z\d+.-]*:\/\//i.test(first)
    ? { type: "http", url: first }
    : { command: first, ...(rest.length > 0 && { args: rest }) };
  if (!("command" in said) && (options.env || read || write)) {
    throw new UsageError("Cannot add that: --env, --read and --write are for programs");
  }
  const settings = mcpServerSchema.safeParse({
    ...said,
    ...(options.env && { env }),
    ...(read && { read }),
    ...(write && { write }),
    ...(network && { network }),
    ...(allow && { approval: "allow" }),
  });
  if (settings.success) return settings.data;
  throw new UsageError("Cannot add that: it is neither a command, nor a URL, nor JSON of a server");
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError("Cannot add that: it begins like JSON, and is none");
}

function removeServer(options: OptionValues, words: readonly string[], host: Host): string {
  const [name, ...more] = words;
  if (name === undefined || more.length > 0) {
    throw new UsageError("Cannot remove that: cordon mcp remove NAME");
  }
  const file = fileFor(options, findPlaces(options, host.env, host.cwd));
  if (!hasServer(file, name)) {
    throw new UsageError(`Cannot remove "${name}": "${file.path}" does not have it`);
  }
  writeServer(file, name, undefined);
  return `${name} is no more in ${file.path}\n`;
}

/** The file that is changed: a person's own, or with --project that which all agents read. */
function fileFor({ project }: OptionValues, { config, workspace }: Places): ServerFile {
  if (project) return { path: join(workspace, MCP_FILE), key: "mcpServers" };
  if (config === undefined) {
    throw new UsageError(
      "Cannot change the configuration: neither XDG_CONFIG_HOME nor HOME is set",
    );
  }
  return { path: join(config, "config.jsonc"), key: "mcp" };
}

async function logOut(
  options: OptionValues,
  words: readonly string[],
  host: Host,
): Promise<string> {
  const { name, settings } = configured(options, words, "logout", host);
  const { state } = findPlaces(options, host.env, host.cwd);
  const { TokenStore } = await import("../mcp/oauth/token_store.ts");
  const url = isStdio(settings) ? undefined : settings.url;
  const removed = url !== undefined && state !== undefined && new TokenStore(state).remove(url);
  return removed ? `The log-in of ${name} is forgotten\n` : `${name} had no log-in\n`;
}
