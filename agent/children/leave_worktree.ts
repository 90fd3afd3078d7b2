import type { Landing } from "../../tools/subagent/children.ts";
import { reasonOf } from "../session/error.ts";
import type { Closed, MergeOutcome, Patch, Worktree } from "../worktrees/worktree.ts";

/** What became of a worktree, and whether a question about it had nobody to answer it. */
export interface Left {
  readonly landing: Landing;
  readonly approvalUnavailable: boolean;
}

/** What is said to a patch: undefined is a yes, else half a sentence on why not. */
export interface Refusal {
  readonly why: string;
  readonly approvalUnavailable: boolean;
  /** Whether the model may do what is in the patch by itself. */
  readonly isFinal: boolean;
}

/** How work leaves a worktree. */
export interface LeaveParts {
  /** Why nothing is to be brought back, in half a sentence; undefined: all of it is. */
  readonly unwanted: string | undefined;
  /** Asked before the workspace changes. */
  readonly pass: (patch: Patch) => Promise<Refusal | undefined>;
}

/** How many paths are named. */
const MAX_PATHS = 40;

/** How much of a diff is told, in UTF-16 units: what did not land is not out of sight. */
const MAX_DIFF_CHARS = 4 * 1024;

/**
 * Brings what was done in a worktree into the workspace, all of it or none, and lets the worktree
 * go. Whatever fails, nothing that was done in it is lost: it stays, and this says where.
 */
export async function leaveWorktree(worktree: Worktree, parts: LeaveParts): Promise<Left> {
  const brought = await bringBack(worktree, parts);
  const closed = await letGo(worktree);
  return {
    landing: { ...brought.landing, ...keptFacts(closed) },
    approvalUnavailable: brought.approvalUnavailable,
  };
}

async function bringBack(worktree: Worktree, { unwanted, pass }: LeaveParts): Promise<Left> {
  try {
    const patch = await worktree.changes();
    if (patch.files.length === 0) return { landing: NOTHING, approvalUnavailable: false };
    const refusal = unwanted === undefined ? await pass(patch) : undefined;
    if (refusal) {
      const { why, approvalUnavailable, isFinal } = refusal;
      return {
        landing: { ...NOTHING, problem: why, ...diffOf(patch, !isFinal) },
        approvalUnavailable,
      };
    }
    const landing = unwanted === undefined
      ? outcomeFacts(await worktree.mergeBack(patch), patch)
      : { ...NOTHING, problem: unwanted, ...diffOf(patch, true) };
    return { landing, approvalUnavailable: false };
  } catch (error) {
    return { landing: { ...NOTHING, problem: reasonOf(error) }, approvalUnavailable: false };
  }
}

const NOTHING = { landed: 0, paths: [] } as const satisfies Landing;

function outcomeFacts(outcome: MergeOutcome, patch: Patch): Landing {
  if (outcome.ok) {
    // What the workspace has already is brought, too.
    const paths = patch.files.map(({ path }) => path);
    return { landed: paths.length, paths: paths.slice(0, MAX_PATHS) };
  }
  const changed = outcome.reason === "partial" ? outcome.changed : [];
  return {
    landed: changed.length,
    paths: changed.slice(0, MAX_PATHS),
    problem: outcome.reason === "conflicts"
      ? "both sides changed the same, so nothing was touched"
      : "something was in the way of a part of them",
    conflicts: outcome.conflicts.slice(0, MAX_PATHS).map(({ path, why }) => ({ path, why })),
    ...diffOf(patch, true),
  };
}

function diffOf({ text }: Patch, isShown: boolean): Pick<Landing, "diff"> {
  if (!isShown || text === "") return {};
  if (text.length <= MAX_DIFF_CHARS) return { diff: text };
  const whole = text.lastIndexOf("\n", MAX_DIFF_CHARS) + 1;
  return {
    diff: `${text.slice(0, whole || MAX_DIFF_CHARS).toWellFormed()}[the rest is not shown]`,
  };
}

/** Lets it go; where not even that can be done, it is still there. */
async function letGo(worktree: Worktree): Promise<Closed> {
  try {
    return await worktree.close();
  } catch (error) {
    return { path: worktree.path, why: reasonOf(error) };
  }
}

/** What stays of a worktree that was let go. */
export function keptFacts({ path, why = "", branch }: Closed): Pick<Landing, "kept" | "branch"> {
  return {
    ...(path !== undefined && { kept: { path, why } }),
    ...(branch !== undefined && { branch }),
  };
}
