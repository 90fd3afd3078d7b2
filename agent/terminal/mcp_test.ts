import type { OptionValues } from "../command_line/options.ts";
import { EXIT } from "../exit_code.ts";
import { openHeadlessGround } from "../mcp/headless_ground.ts";
import type { PrepareParts } from "../mcp/prepare_server.ts";
import { configuredServers, type McpServer } from "../mcp/servers.ts";
import { type ServerTrial, tryServer } from "../mcp/test_servers.ts";
import type { Host } from "./headless.ts";
import { printable, stripControls } from "./printable.ts";

/**
 * `cordon mcp test`: starts the servers as a session would, those that are named or all that are on,
 * and tells what they offer; resolves to the exit code, 1 where one fails.
 */
export async function runTest(
  options: OptionValues,
  named: readonly McpServer[] | undefined,
  host: Host,
): Promise<number> {
  const { stdout, stderr } = host.streams;
  const warn = (line: string) => stderr.write(`warning: ${stripControls(line)}\n`);
  await using ground = await openHeadlessGround(options, { env: host.env, cwd: host.cwd, warn });
  const { launch, enclosure, backing, redaction, log } = ground;
  const found = configuredServers(launch.configuration);
  found.warnings.forEach(warn);
  const servers = named ?? found.servers.filter(({ settings }) => settings.enabled !== false);
  const parts: PrepareParts = {
    ...{ launch, log, env: host.env, view: enclosure.view },
    ...{ commands: backing.commands, sweeping: backing.sweeping },
    learn: (secrets) => redaction.learn(secrets),
  };
  const trials = await Promise.all(servers.map((server) => tryServer(server, parts)));
  const shown = (options["output-format"] ?? "text") === "text"
    ? trials.map(trialText).join("") || "No MCP server is configured\n"
    : `${JSON.stringify({ type: "mcp_test", servers: trials })}\n`;
  stdout.write(redaction.redact(shown));
  return trials.every(({ ok }) => ok) ? EXIT.done : EXIT.failed;
}

function trialText(trial: ServerTrial): string {
  const name = printable(trial.name);
  if (!trial.ok) return `${name}: failed: ${printable(trial.problem)}\n`;
  const { protocol, tools, prompts, resources, warnings } = trial;
  const offers = [
    `${tools.length} tools`,
    ...(prompts.length > 0 ? [`${prompts.length} prompts`] : []),
    ...(resources ? ["resources"] : []),
  ];
  return [
    `${name}: ok, protocol ${protocol}, ${offers.join(", ")}\n`,
    ...warnings.map((line) => `  warning: ${stripControls(line)}\n`),
    ...tools.map((tool) => `  ${tool.name}  ${stripControls(tool.description)}\n`),
    ...prompts.map((prompt) => `  /${prompt}\n`),
  ].join("");
}
