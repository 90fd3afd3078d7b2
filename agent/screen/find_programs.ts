import { join } from "node:path";
import type { Grants } from "../../sandbox/rights/grants.ts";
import { pathOutside } from "../doctor/outside_path.ts";

/** Where programs are looked for. */
export interface ProgramPlaces {
  /** In the form of `PATH`. */
  readonly path: string;
  /** No program is taken from it. */
  readonly workspace: string;
  readonly grants: Pick<Grants, "allows">;
}

/** A program that may be started, or why not. */
export type FoundProgram =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly missing: "not installed" | "not granted" };

/** Looks for programs that run outside of any view, so that no project can hand us one of its own. */
export async function findPrograms<const N extends string>(
  names: readonly N[],
  { path, workspace, grants }: ProgramPlaces,
): Promise<Record<N, FoundProgram>> {
  const folders = (await pathOutside(path, workspace)).split(":").filter((folder) => folder !== "");
  const found = await Promise.all(names.map(async (name): Promise<[N, FoundProgram]> => {
    if (!grants.allows("run", name)) return [name, { ok: false, missing: "not granted" }];
    const place = await firstOf(folders, name);
    return [
      name,
      place === undefined ? { ok: false, missing: "not installed" } : {
        ok: true,
        path: place,
      },
    ];
  }));
  // A cast: each name has its entry.
  return Object.fromEntries(found) as Record<N, FoundProgram>;
}

async function firstOf(folders: readonly string[], name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      const { isFile, mode } = await Deno.stat(path);
      if (isFile && ((mode ?? 0) & 0o111) !== 0) return path;
    } catch (error) {
      // Who may start it and not look for it is believed to have it.
      if (error instanceof Deno.errors.NotCapable) return path;
      if (isAbsent(error)) continue;
      throw error;
    }
  }
  return undefined;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.PermissionDenied;
}
