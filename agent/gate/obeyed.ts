import { isInside } from "../../sandbox/rights/grants.ts";
import { obeyedReason } from "../../sandbox/sweep/names.ts";
import type { ObeyedCheck } from "./gate.ts";

/** Says why a file in the workspace is obeyed unasked, wherever a link to it leads. */
export function obeyedCheck(
  realPath: (path: string) => Promise<string | undefined>,
  workspace: string,
): ObeyedCheck {
  return async (path) => {
    const real = await realPath(path);
    if (real === undefined || !isInside(real, workspace)) return undefined;
    return obeyedReason(real.slice(workspace.length + 1));
  };
}
