import { isInside } from "../../sandbox/rights/grants.ts";
import type { Trust } from "../config/trust.ts";
import type { Places } from "../places.ts";
import { type SkillFolder, skillFolders } from "./skill_folders.ts";

/** What the skills of a run mean for what it offers and reaches. */
export interface SkillReach {
  /** Whether the model can take any. */
  readonly any: boolean;
  /** Folders outside the workspace that file tools may read for them, links resolved. */
  readonly folders: readonly string[];
}

const NOTHING: SkillReach = { any: false, folders: [] };

/** Looks for skills; where no folder for them is there, next to nothing is loaded. */
export async function skillReach(places: Places, trust: Trust): Promise<SkillReach> {
  const usable = skillFolders(places).filter(({ origin }) =>
    origin === "user" || trust === "trusted"
  );
  const present = (await Promise.all(usable.map(realFolder))).filter((root) => root !== undefined);
  if (present.length === 0) return NOTHING;
  const { findSkills } = await import("./find_skills.ts");
  const { skills } = await findSkills(places, trust);
  const folders = [...present, ...skills.map(({ folder }) => folder)];
  return {
    any: skills.some(({ forModel }) => forModel),
    folders: outermost(folders.filter((folder) => mayBeShown(folder, places))),
  };
}

/** Each once, and none that lies in another one. */
function outermost(folders: readonly string[]): string[] {
  return [...new Set(folders)].filter((folder) =>
    !folders.some((other) => other !== folder && isInside(folder, other))
  );
}

/** The workspace is seen anyway; and a link to a whole home or disk is no folder of skills. */
function mayBeShown(folder: string, { workspace, home, state }: Places): boolean {
  if (isInside(folder, workspace)) return false;
  if (state !== undefined && isInside(folder, state)) return false;
  const around = [workspace, home, state].filter((place) => place !== undefined);
  return !around.some((place) => isInside(place, folder));
}

/** Undefined where there is none, none that we may see, or one that leads out of a project. */
async function realFolder({ folder, within }: SkillFolder): Promise<string | undefined> {
  try {
    const real = await Deno.realPath(folder);
    if (within !== undefined && !isInside(real, within)) return undefined;
    return (await Deno.stat(real)).isDirectory ? real : undefined;
  } catch (error) {
    const hidden = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.FilesystemLoop;
    if (hidden) return undefined;
    throw error;
  }
}
