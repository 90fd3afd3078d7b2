import { join } from "node:path";
import { isInside } from "../../sandbox/rights/grants.ts";
import type { Trust } from "../config/trust.ts";
import type { Places } from "../places.ts";
import { reasonOf } from "../session/error.ts";
import { readSkill, type Skill } from "./read_skill.ts";
import { type SkillFolder, skillFolders } from "./skill_folders.ts";

/** The skills that can be used here. */
export interface FoundSkills {
  /** The nearest first; of two with one name only the nearer. */
  readonly skills: readonly Skill[];
  /** Sentences that a person should read. */
  readonly warnings: readonly string[];
  /** Paths of a project's own that are not used, since its folder is not trusted. */
  readonly waiting: readonly string[];
}

/** The file that makes a folder a skill. */
const SKILL_FILE = "SKILL.md";

/** Skills of one folder, at the most. */
const MAX_SKILLS = 500;

/** Finds all skills; a project's own only where its folder is trusted, else where they are. */
export async function findSkills(
  places: Pick<Places, "workspace" | "home" | "config">,
  trust: Trust,
): Promise<FoundSkills> {
  const byName = new Map<string, Skill>();
  const warnings: string[] = [];
  const waiting: string[] = [];
  for (const folder of skillFolders(places)) {
    const found = await findSkillFiles(folder);
    if (folder.origin === "project" && trust !== "trusted") {
      waiting.push(...found.files.map(({ path }) => path));
      continue;
    }
    warnings.push(...found.warnings);
    for (const { path, real } of found.files) {
      const read = await readSkill(path, real);
      warnings.push(...read.warnings);
      if (read.skill && !byName.has(read.skill.name)) byName.set(read.skill.name, read.skill);
    }
  }
  return { skills: [...byName.values()], warnings, waiting };
}

/** The SKILL.md files of a project, the closest first; what they hold is not read. */
export async function projectSkillFiles(
  places: Pick<Places, "workspace" | "home">,
): Promise<readonly string[]> {
  const folders = skillFolders({ ...places, config: undefined })
    .filter(({ origin }) => origin === "project");
  const found = await Promise.all(folders.map(findSkillFiles));
  return found.flatMap(({ files }) => files.map(({ path }) => path));
}

interface SkillFile {
  readonly path: string;
  /** Links resolved. */
  readonly real: string;
}

interface FoundFiles {
  /** Sorted by name. */
  readonly files: readonly SkillFile[];
  readonly warnings: readonly string[];
}

async function findSkillFiles({ folder, within }: SkillFolder): Promise<FoundFiles> {
  const files: SkillFile[] = [];
  const warnings: string[] = [];
  for (const name of (await namesIn(folder, warnings)).slice(0, MAX_SKILLS)) {
    const path = join(folder, name, SKILL_FILE);
    const real = await realFile(path, warnings);
    if (real === undefined) continue;
    // So that a stranger's project cannot hand over other files.
    if (within === undefined || isInside(real, within)) files.push({ path, real });
    else warnings.push(`Cannot use skill "${path}": it leads to "${real}", outside the project`);
  }
  return { files, warnings };
}

async function namesIn(folder: string, warnings: string[]): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile && !name.startsWith(".")) names.push(name);
    }
  } catch (error) {
    if (!isAbsent(error)) warnings.push(`Cannot read skills in "${folder}": ${reasonOf(error)}`);
  }
  return names.sort();
}

/** Undefined where there is none, or none that Deno's flags let us see. */
async function realFile(path: string, warnings: string[]): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!isAbsent(error)) warnings.push(`Cannot read skill "${path}": ${reasonOf(error)}`);
    return undefined;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.NotCapable;
}
