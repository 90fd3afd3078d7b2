import { join, resolve } from "node:path";
import { isMissing } from "../sandbox/files/system_errors.ts";

/**
 * Where a linked worktree or a submodule says that its git store is; undefined where the folder is
 * neither, or the store is gone. What it says proves nothing: a view shows only a store that names the
 * folder in turn.
 */
export function linkedStore(workspace: string): string | undefined {
  try {
    const folder = pointedAt(workspace, /^gitdir: (.+)$/m.exec(read(join(workspace, ".git")))?.[1]);
    return folder && (commonOf(folder) ?? folder);
  } catch (error) {
    if (isMissing(error) || error instanceof Deno.errors.IsADirectory) return undefined;
    throw error;
  }
}

/** A linked worktree shares the store of its repository; a submodule has its own. */
function commonOf(folder: string): string | undefined {
  try {
    return pointedAt(folder, read(join(folder, "commondir")).trimEnd());
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function pointedAt(from: string, path: string | undefined): string | undefined {
  return path === undefined ? undefined : Deno.realPathSync(resolve(from, path));
}

function read(path: string): string {
  return Deno.readTextFileSync(path);
}
