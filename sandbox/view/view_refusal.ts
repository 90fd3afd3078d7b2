import { isInside } from "../rights/grants.ts";
import type { ViewRequest } from "./view.ts";
import { KERNEL_FOLDERS, SYSTEM_FOLDERS } from "./view_places.ts";

/** Protected files and folders in a view; each is a mount, and so arguments and time in every command. */
const MAX_PROTECTED = 1_000;

/** Why there can be no view of this workspace, and what to do; undefined where there can. Pure. */
export function refusalOf(
  { profile, facts, state }: ViewRequest,
): { readonly reason: string; readonly fix: string } | undefined {
  const { workspace, home } = facts;
  if (profile === "container") return undefined;
  const named = JSON.stringify(workspace);
  const elsewhere = "Start Cordon in the folder of a project";
  if (
    SYSTEM_FOLDERS.includes(workspace) || KERNEL_FOLDERS.some((path) => isInside(workspace, path))
  ) {
    return { reason: `the workspace ${named} is a folder of the system`, fix: elsewhere };
  }
  if (home !== undefined && isInside(home, workspace)) {
    return { reason: `the workspace ${named} is or holds the home folder`, fix: elsewhere };
  }
  if (isInside(workspace, state)) {
    return { reason: `the workspace ${named} lies in the state folder`, fix: elsewhere };
  }
  if (facts.root && !facts.workspaceOwned) {
    return {
      reason: `the workspace ${named} belongs to another user than root`,
      fix: "Start Cordon as that user, as by: sudo -u USER cordon",
    };
  }
  if (facts.autoRun.length > MAX_PROTECTED) {
    return {
      reason:
        `the workspace ${named} holds more than ${MAX_PROTECTED} files that must be protected`,
      fix: "Start Cordon in a folder further down",
    };
  }
  return undefined;
}

/** What a person should know of a view. Pure. */
export function warningsOf(request: ViewRequest): string[] {
  const { facts, stores } = request;
  const warnings: string[] = [];
  const { store } = facts;
  if (facts.root) {
    warnings.push(
      "Cordon runs as root: the number of processes of a command is not limited, and files of root are its own",
    );
  }
  if (store && !store.trusted) {
    warnings.push(
      `The git store ${
        JSON.stringify(store.path)
      } does not name this workspace: git has no history here`,
    );
  } else if (store && !stores.includes(store.path)) {
    warnings.push(
      `The git store ${
        JSON.stringify(store.path)
      } lies outside the workspace: git has no history here until you agree to it, by: cordon trust`,
    );
  }
  const around = hiddenRepository(request);
  if (around !== undefined) {
    const root = JSON.stringify(around);
    warnings.push(
      `The repository ${root} around the workspace is not shown: git has no history here, -C ${root} works in all of it`,
    );
  }
  return warnings;
}

/** The root of the repository around the workspace, where the view does not show it. Pure. */
export function hiddenRepository(
  { facts: { around }, profile, extraRead, extraWrite }: ViewRequest,
): string | undefined {
  if (around === undefined || profile === "container") return undefined;
  const isShown = [...extraRead, ...extraWrite].some((folder) => isInside(around, folder));
  return isShown ? undefined : around;
}
