import type { EgressLog } from "../../sandbox/egress/events.ts";
import type { Backing } from "../backing/backing.ts";
import type { Enclosure } from "../enclosure.ts";
import type { ReadVariable } from "../environment.ts";
import type { Launch } from "../launch.ts";
import type { Redaction } from "../redaction.ts";
import { ForeignTools } from "./foreign_tools.ts";
import { type PrepareParts, prepareServer } from "./prepare_server.ts";
import { foreignSelection } from "./selection.ts";
import { configuredServers, type McpServer } from "./servers.ts";

/** What the servers of a session are started with. */
export interface OpenServersParts {
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  readonly backing: Backing;
  readonly env: ReadVariable;
  readonly redaction: Redaction;
  /** Servers beside those that are configured, whose place they take where they have their names. */
  readonly brought: readonly McpServer[];
  readonly log: EgressLog;
  /** Takes a sentence for the person. */
  readonly warn: (line: string) => void;
}

/** Begins to start the servers that are configured and on; nothing waits for them yet. */
export function openServers(
  { launch, enclosure, backing, env, redaction, brought, log, warn }: OpenServersParts,
): ForeignTools {
  const { servers: configured, warnings } = configuredServers(launch.configuration);
  const names = new Set(brought.map(({ name }) => name));
  const servers = [...configured.filter(({ name }) => !names.has(name)), ...brought];
  warnings.forEach(warn);
  const parts: PrepareParts = {
    ...{ launch, env, log, view: enclosure.view },
    ...{ commands: backing.commands, sweeping: backing.sweeping },
    learn: (secrets) => redaction.learn(secrets),
  };
  return new ForeignTools({
    servers: servers.filter(({ settings }) => settings.enabled !== false)
      .map((server) => ({ name: server.name, prepare: () => prepareServer(server, parts) })),
    isSelected: foreignSelection(launch.settings.tools),
    warn,
  });
}
