import type { ChildRequest } from "../../tools/subagent/children.ts";
import type { WorktreeRecord } from "../worktrees/record.ts";
import { type Patch, type Worktree, WorktreeError } from "../worktrees/worktree.ts";
import type { Worktrees } from "../worktrees/worktrees.ts";
import { keptFacts, leaveWorktree, type Left, type Refusal } from "./leave_worktree.ts";
import { landingText } from "../../tools/subagent/landing.ts";

/** A place in which one child works apart from the others. */
export interface Apart {
  /** Its workspace; absolute. */
  readonly path: string;
  /**
   * Ends the use of it; nothing of the child may work in it any more. `unwanted` says why nothing
   * is to be brought back. Once the signal is raised no question about it stands.
   */
  leave(unwanted: string | undefined, signal: AbortSignal): Promise<Left>;
}

/** Whose place it is. */
export interface Tenant {
  readonly id: string;
  /** As a person is told of the child. */
  readonly by: string;
  readonly request: ChildRequest;
}

/** Asks whether a patch of a child may come into the workspace. */
export type AskToLand = (
  tenant: Tenant,
  patch: Patch,
  signal: AbortSignal,
) => Promise<Refusal | undefined>;

/** What those who live in worktrees are asked, and a person is told, through. */
export interface Landlord {
  readonly ask: AskToLand;
  /** A line for people. */
  readonly note: (line: string) => void;
}

/**
 * Opens a worktree for a child. A person is told of one that stays, for its session may end with it.
 * @throws {WorktreeError} where none can be had.
 * @throws the reason of `signal` once it is raised.
 */
export async function openApart(
  worktrees: Worktrees,
  tenant: Tenant,
  { ask, note }: Landlord,
  signal: AbortSignal,
): Promise<Apart> {
  const { id, request: { description } } = tenant;
  const name = description === undefined ? id : `${id}-${description}`;
  const worktree = await worktrees.open(name, signal);
  return {
    path: worktree.path,
    async leave(unwanted, leaving) {
      const pass = (patch: Patch) => ask(tenant, patch, leaving);
      const left = await leaveWorktree(worktree, { unwanted, pass });
      const { name } = worktree;
      if (left.landing.kept) note(`${id}: its work stays, see cordon worktrees show ${name}`);
      return left;
    },
  };
}

/** What a child that was lost left in its worktree. */
export interface LostWork {
  readonly childId: string;
  /** For the model. */
  readonly text: string;
}

/**
 * Looks at the worktrees that children of a session left when it died, but for those of which the
 * model knows. What is worth nothing is removed, and not told.
 */
export async function lostWork(
  worktrees: Worktrees,
  session: string,
  isKnown: (childId: string) => boolean,
): Promise<LostWork[]> {
  const lost: LostWork[] = [];
  for (const record of worktrees.leftOver()) {
    const childId = childOf(record, session);
    if (childId === undefined || isKnown(childId)) continue;
    const worktree = await reopened(worktrees, record.name);
    if (!worktree) continue;
    const kept = keptFacts(await worktree.close());
    if (!kept.kept && kept.branch === undefined) continue;
    const problem = "the program ended before they could be";
    lost.push({ childId, text: landingText({ landed: 0, paths: [], problem, ...kept }) });
  }
  return lost;
}

/** Undefined where somebody looks into it just then: it is told of when the session is next resumed. */
async function reopened(worktrees: Worktrees, name: string): Promise<Worktree | undefined> {
  try {
    return await worktrees.reopen(name);
  } catch (error) {
    if (error instanceof WorktreeError) return undefined;
    throw error;
  }
}

function childOf({ session, name }: WorktreeRecord, ours: string): string | undefined {
  return session === ours ? /^c\d+(?=-|$)/.exec(name)?.[0] : undefined;
}
