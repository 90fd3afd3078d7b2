import { join, relative, resolve } from "node:path";
import { isInside } from "../../sandbox/rights/grants.ts";

/** The two names of a session's folder: how the editor calls it, and where it really is. */
export interface FolderNames {
  /** Absolute, as the editor gave it. */
  readonly given: string;
  /** Links resolved. */
  readonly real: string;
}

/**
 * The absolute path by which an editor knows a file: what lies in the session's folder it knows by
 * the name that it opened that folder by. `path` is absolute, or relative to `cwd`. Pure.
 */
export function editorPath(path: string, cwd: string, { given, real }: FolderNames): string {
  const absolute = resolve(cwd, path);
  return isInside(absolute, real) ? join(given, relative(real, absolute)) : absolute;
}
