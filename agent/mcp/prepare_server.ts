import type { ReadVariable } from "../environment.ts";
import { expandVariables } from "./expand.ts";
import type { LinkLimits } from "./server_link.ts";
import { DEFAULT_LINK_LIMITS } from "./server_link.ts";
import { prepareHouse, type ServerGround } from "./server_process.ts";
import { isStdio, type ServerSettings } from "./server_schema.ts";
import type { McpServer } from "./servers.ts";
import { stdioWay, type Way } from "./way.ts";

/** A server that can be connected to. */
export interface PreparedServer extends AsyncDisposable {
  readonly way: Way;
  readonly limits: LinkLimits;
  /** Whether the person said in their own file that a tool needs no yes. */
  readonly allows: (tool: string) => boolean;
  /** Half sentences that a person should read. */
  readonly warnings: readonly string[];
}

/** What servers are made ready with. */
export interface PrepareParts extends ServerGround {
  readonly env: ReadVariable;
  /** Learns what must not be shown. */
  readonly learn: (secrets: readonly { readonly name: string; readonly value: string }[]) => void;
}

/**
 * Makes ready what it takes to reach a server: its variables put in, and its program's view.
 * @throws {Error} in one sentence where that cannot be.
 */
export async function prepareServer(
  server: McpServer,
  parts: PrepareParts,
): Promise<PreparedServer> {
  const settings = withVariables(server, parts);
  const limits: LinkLimits = {
    startMs: settings.start_timeout_ms ?? DEFAULT_LINK_LIMITS.startMs,
    callMs: settings.timeout_ms ?? DEFAULT_LINK_LIMITS.callMs,
  };
  const common = { limits, allows: allowanceOf(server) };
  if (!isStdio(settings)) {
    const { httpWay } = await import("./http_way.ts");
    return { ...common, ...httpWay(server, settings, parts) };
  }
  try {
    const house = await prepareHouse(server, settings, parts);
    return {
      ...common,
      way: stdioWay(house),
      warnings: house.warnings,
      [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot start MCP server "${server.name}": ${why}`, { cause: error });
  }
}

/** What a project says of approval is no person's word. */
function allowanceOf({ origin, settings: { approval } }: McpServer): (tool: string) => boolean {
  if (origin === "project" || approval === undefined) return () => false;
  if (typeof approval === "string") return () => approval === "allow";
  return (tool) => Object.hasOwn(approval, tool) && approval[tool] === "allow";
}

/** Variables whose value is a secret by their name, as people name them. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|_PAT$/i;

/** A shorter value would be found in innocent text, in characters. */
const MIN_SECRET_CHARS = 8;

/** The settings with the host's variables in every text; the model's key stays where it is. */
function withVariables(
  { name, settings }: McpServer,
  { env, launch, learn }: PrepareParts,
): ServerSettings {
  const { provider, applyModel } = launch.settings;
  const keys = [provider.keyVariable, applyModel?.provider.keyVariable];
  const put = (text: string): string => {
    const expanded = expandVariables(text, (key) => keys.includes(key) ? undefined : env(key));
    if (!expanded.ok) {
      throw new Error(
        `Cannot start MCP server "${name}": the variable ${expanded.missing} is not set`,
      );
    }
    for (const used of expanded.used) learnValue(used, env(used));
    return expanded.text;
  };
  function learnValue(key: string, value: string | undefined): void {
    if (value === undefined || value.length < MIN_SECRET_CHARS || !SECRET_NAME.test(key)) return;
    learn([{ name: key, value }]);
  }
  const putAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => {
        const value = put(text);
        learnValue(key, value);
        return [key, value];
      }),
    );
  if (!isStdio(settings)) {
    const { headers = {} } = settings;
    return { ...settings, url: put(settings.url), headers: putAll(headers) };
  }
  const { args = [], env: variables = {} } = settings;
  return {
    ...settings,
    command: put(settings.command),
    args: args.map(put),
    env: putAll(variables),
  };
}
