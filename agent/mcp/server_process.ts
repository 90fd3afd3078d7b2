import { createHash } from "node:crypto";
import { createDialer } from "../../sandbox/egress/dial.ts";
import type { EgressLog } from "../../sandbox/egress/events.ts";
import { egressGate } from "../../sandbox/egress/permission.ts";
import { type EgressProxy, startProxy } from "../../sandbox/egress/proxy.ts";
import { socketPaths } from "../../sandbox/egress/socket.ts";
import type { Commands } from "../../sandbox/commands/commands.ts";
import type { OpenProcess, ProcessOpener } from "../../sandbox/commands/open_process.ts";
import { createConfinedOpener } from "../../sandbox/view/open_confined.ts";
import { openView } from "../../sandbox/view/open_view.ts";
import { egressRules } from "../egress.ts";
import type { ProvenView } from "../enclosure.ts";
import type { Launch } from "../launch.ts";
import type { Sweeping } from "../backing/sweeping.ts";
import type { McpServer } from "./servers.ts";
import { type ServerRights, serverRights } from "./server_rights.ts";
import type { StdioServer } from "./server_schema.ts";

/** What the programs of servers are started in. */
export interface ServerGround {
  readonly launch: Launch;
  /** The view of the session; absent where there is none. */
  readonly view: ProvenView | undefined;
  /** Those of the session. */
  readonly commands: Commands;
  readonly sweeping: Sweeping;
  readonly log: EgressLog;
}

/** Where one server's program is started, as often as it takes. */
export interface ServerHouse extends AsyncDisposable {
  open(): Promise<OpenProcess>;
  /** Half sentences that a person should read. */
  readonly warnings: readonly string[];
  /** What may be the reason where it ends at once, in half a sentence. */
  readonly hint?: string;
}

/**
 * Makes ready what a server's program runs in: a view with the rights that the person gave it, HOME
 * and /tmp of its own, and a way out to the hosts that were named. In a declared container it is that,
 * and without any view a program as any, which is told.
 * @throws {Error} where its view cannot be had; less confined it is not started.
 */
export async function prepareHouse(
  server: McpServer,
  settings: StdioServer,
  ground: ServerGround,
): Promise<ServerHouse> {
  const { launch, view, commands } = ground;
  const argv = [settings.command, ...settings.args ?? []] as const;
  const options = { cwd: launch.places.workspace, env: settings.env ?? {} };
  if (!view || view.view.profile === "container") {
    return {
      open: () => commands.open(argv, options),
      warnings: view ? [] : ["nothing confines it here"],
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const { places, grants } = launch;
  const rights = serverRights(settings, {
    workspace: view.view.workspace,
    home: places.home,
    profile: launch.settings.profile,
    denied: (kind) => grants.denied(kind),
  });
  const proxy = await openWayOut(rights, ground);
  try {
    const { opener, confirmed } = await openIn(server, rights, view, proxy, launch);
    const swept = rights.writesWorkspace
      ? ground.sweeping.commands({ ...commands, open: opener.open })
      : opener;
    const cwd = view.view.workspace;
    return {
      open: () => swept.open(argv, { ...options, cwd }),
      warnings: rights.withheld,
      ...(rights.unseen.length > 0 && {
        hint: `its view does not show ${rights.unseen.join(", ")}: see "read" and "write"`,
      }),
      async [Symbol.asyncDispose]() {
        await opener[Symbol.asyncDispose]();
        // Why a remembered proof does not hold shows in the program's own end.
        await confirmed.catch(() => {});
        await proxy?.[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await proxy?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** A proxy of the server's own, which knows the hosts that were named for it and asks for none. */
async function openWayOut(
  { network }: ServerRights,
  { launch, log }: ServerGround,
): Promise<EgressProxy | undefined> {
  const { state } = launch.places;
  if (network.length === 0 || state === undefined) return undefined;
  const { deny = [] } = egressRules(launch);
  return await startProxy({
    paths: socketPaths(state),
    gate: egressGate({ rules: { allow: network, deny } }),
    log,
    dialer: createDialer({ granted: network, denied: deny }),
  });
}

async function openIn(
  server: McpServer,
  { read, write, writesWorkspace }: ServerRights,
  { filter }: ProvenView,
  proxy: EgressProxy | undefined,
  { places, settings, environment }: Launch,
): Promise<{
  readonly opener: ProcessOpener & AsyncDisposable;
  readonly confirmed: Promise<unknown>;
}> {
  const { workspace, state, home } = places;
  if (state === undefined) throw new Error("no state folder is granted");
  const plan = settings.profile === "plan";
  const opened = await openView({
    profile: plan ? "plan" : proxy ? "egress" : "workspace",
    places: { workspace, state, home },
    session: houseName(server),
    environment,
    extraRead: read,
    extraWrite: write,
    readsWorkspace: !writesWorkspace,
    proxySocket: proxy?.path,
    remembers: true,
  });
  if (!opened.ok) throw new Error(opened.reason);
  const { view, confirmed } = opened;
  confirmed.catch(() => {});
  const opener = createConfinedOpener({ view, filter, cwd: () => view.workspace });
  return { opener, confirmed };
}

/** A server keeps its HOME from session to session, and no other file's server of that name has it. */
function houseName({ name, path }: McpServer): string {
  const digest = createHash("sha256").update(JSON.stringify([name, path])).digest("hex");
  return `mcp-${digest.slice(0, 16)}`;
}
