import { basename, dirname, join } from "node:path";
import type { ReadFiles } from "../../sandbox/files/files.ts";
import { isInside } from "../../sandbox/rights/grants.ts";
import { obeyedReason } from "../../sandbox/sweep/names.ts";
import type { ObeyedCheck } from "./gate.ts";

/** Looks where a path really leads, since a link to a folder of hooks has any name. */
export function obeyedCheck(files: Pick<ReadFiles, "stat">, workspace: string): ObeyedCheck {
  async function realOf(path: string): Promise<string | undefined> {
    const found = await files.stat(path);
    if (found.ok) return found.facts.real;
    const folder = dirname(path);
    if (folder === path) return undefined;
    const real = await realOf(folder);
    return real === undefined ? undefined : join(real, basename(path));
  }
  return async (path) => {
    const real = await realOf(path);
    if (real === undefined || !isInside(real, workspace)) return undefined;
    return obeyedReason(real.slice(workspace.length + 1));
  };
}
