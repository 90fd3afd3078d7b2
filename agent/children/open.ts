import { subagentTool } from "../../tools/subagent.ts";
import type { Tool } from "../../tools/tool.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { Enclosure } from "../enclosure.ts";
import type { EventSink } from "../events.ts";
import type { Approver } from "../gate/approver.ts";
import type { InTurn } from "../gate/in_turn.ts";
import type { Launch } from "../launch.ts";
import { costOf } from "../model/provider.ts";
import type { Session } from "../session/session.ts";
import type { VariableRecord } from "./inheritance.ts";
import type { ChildStanding } from "./messages.ts";
import type { Role } from "./roles.ts";
import type { SessionChildren, WorktreePlace } from "./session_children.ts";

/** So many children work at once where nothing is configured: as many as a small machine has cores. */
const DEFAULT_MAX_CHILDREN = 4;

/** Children have no children of their own where nothing is configured. */
const DEFAULT_MAX_DEPTH = 1;

/** The roles of a run by name; none where no tool could use one. */
export async function rolesFor(
  { places, configuration, selected }: Launch,
  { note }: { readonly note: (line: string) => void },
): Promise<ReadonlyMap<string, Role>> {
  if (!selected.has("subagent") && !selected.has("subagent_batch")) return new Map();
  // Few runs have children.
  const { loadRoles } = await import("./role_files.ts");
  const { roles, warnings } = await loadRoles(places, configuration.project.trust);
  for (const warning of warnings) note(`warning: ${warning}`);
  return roles;
}

/** The catalogue with the tool that tells the model of these roles. */
export function withRoles(
  catalogue: readonly Tool[],
  roles: ReadonlyMap<string, Role>,
): readonly Tool[] {
  if (roles.size === 0) return catalogue;
  const tool = subagentTool([...roles.values()]);
  return catalogue.map((other) => other.name === tool.name ? tool : other);
}

/** Whether a run offers a tool for children. */
export function usesChildren({ offered }: Enclosure): boolean {
  return offered.some(({ needs }) => needs.uses?.includes("children"));
}

/** What the children of a run are opened with. */
export interface OpeningParts {
  readonly options: OptionValues;
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  readonly session: Session;
  readonly variables: VariableRecord;
  readonly roles: ReadonlyMap<string, Role>;
  readonly inTurn: InTurn;
  /** The trace that a child goes on with; undefined: none. */
  readonly traceparentOf: (childId: string) => string | undefined;
  readonly audience: {
    readonly emit: EventSink;
    readonly note: (line: string) => void;
    readonly alarm: (line: string) => void;
    readonly approve: Approver;
    readonly interactive: boolean;
    readonly child?: ChildStanding;
  };
}

/** Where worktrees may be. Whoever makes one reads all of the workspace and writes in it. */
function worktreePlace(
  { places: { state, workspace }, grants, environment }: Launch,
  keepsLog: boolean,
): string | WorktreePlace {
  const cannot = 'Cannot isolate a sub-agent by "worktree"';
  if (!keepsLog || state === undefined) return `${cannot}: this session keeps no log`;
  if (grants.allows("read", workspace) && grants.allows("write", workspace)) {
    return { state, workspace, environment };
  }
  return `${cannot}: --allow-read and --allow-write of ${workspace} are not granted`;
}

/** The children of a run; no process is started yet. */
export async function childrenOf(
  { options, launch, enclosure, session, variables, roles, audience, inTurn, traceparentOf }:
    OpeningParts,
): Promise<SessionChildren> {
  const { openChildren } = await import("./session_children.ts");
  const { children = {} } = launch.configuration.config;
  const { prices } = launch.settings.provider;
  return openChildren({
    household: {
      ...{ launch, options, session, variables, traceparentOf },
      rights: enclosure.rights,
      keepsLog: session.path !== undefined,
      depth: audience.child?.depth ?? 0,
      maxDepth: children.max_depth ?? DEFAULT_MAX_DEPTH,
      hasPerson: audience.interactive,
    },
    ...{ session, roles, inTurn },
    worktrees: worktreePlace(launch, session.path !== undefined),
    maxAtOnce: children.max ?? DEFAULT_MAX_CHILDREN,
    costOf: (usage) => costOf(usage, prices),
    approve: audience.approve,
    emit: audience.emit,
    note: audience.note,
    alarm: audience.alarm,
  });
}
