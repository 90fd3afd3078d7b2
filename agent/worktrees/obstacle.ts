import { isOfSystem } from "../../sandbox/files/system_errors.ts";
import { GitError } from "./git.ts";
import { WorktreeError } from "./worktree.ts";

/**
 * Whether something outside of this program keeps it from knowing what a worktree holds; the message
 * is for people. Nothing is removed then.
 */
export function isObstacle(error: unknown): error is Error {
  return error instanceof GitError || error instanceof WorktreeError || isOfSystem(error);
}
