import { dirname } from "node:path";
import { errorCode, isForbidden, isMissing } from "../files/system_errors.ts";
import type { Finding, Findings } from "./sweep.ts";
import { clearSetIds, isRealFolder, isStill, putInPlace, removeSeen } from "./tree_actions.ts";

/** What was done about the findings of one command; paths are relative to the workspace. */
export interface Undone {
  readonly files: readonly UndoneFile[];
  /** Programs that no longer have set-id bits. */
  readonly setIds: readonly string[];
}

/** One file that is not as the command left it. */
export interface UndoneFile {
  readonly path: string;
  readonly reason: string;
  /**
   * `removed`: it is gone; `restored`: it is as before; `left`: it changed once more or may not be
   * changed, and stays as it is.
   */
  readonly done: "removed" | "restored" | "left";
}

/**
 * Takes back what {@linkcode findChanges} found. Do this after the findings have been kept, since
 * what is removed here is gone.
 */
export function undoFindings(root: string, findings: Findings): Undone {
  return {
    files: findings.files.map((finding) => ({
      path: finding.seen.path,
      reason: finding.seen.reason ?? "",
      done: undoFile(root, finding),
    })),
    setIds: findings.setIds.filter((seen) => unlessRefused(() => clearSetIds(root, seen)) === true)
      .map(({ path }) => path),
  };
}

function undoFile(root: string, { seen, before }: Finding): UndoneFile["done"] {
  const restored = unlessRefused(() => {
    if (!before || !isStill(root, seen) || !isRealFolder(root, dirname(seen.path))) return false;
    putInPlace(root, seen.path, before);
    return true;
  });
  if (restored === true) return "restored";
  return unlessRefused(() => removeSeen(root, seen)) === true ? "removed" : "left";
}

/**
 * Undefined where the system or Deno's flags say no: without full rights no link can be made, and
 * what a view mounts by itself cannot be replaced.
 */
function unlessRefused<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    const code = errorCode(error);
    if (isForbidden(error) || isMissing(error) || code === "EROFS" || code === "EBUSY") {
      return undefined;
    }
    throw error;
  }
}
