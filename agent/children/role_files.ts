import { join } from "node:path";
import { isInside } from "../../sandbox/rights/grants.ts";
import { PROJECT_FOLDER, projectFolders } from "../config/project.ts";
import type { Trust } from "../config/trust.ts";
import { readFrontMatter } from "../front_matter.ts";
import type { Places } from "../places.ts";
import { reasonOf } from "../session/error.ts";
import { BUILT_IN_ROLES, personalInstructions, type Role } from "./roles.ts";

/** All roles of a run. */
export interface Roles {
  /** By name; of two with one name the closer: the project's own, a person's, ours. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Sentences that a person should read. */
  readonly warnings: readonly string[];
}

/** The folder of roles inside a folder of configuration. */
const ROLES_FOLDER = "agents";

/** Files of one folder, at the most: the model is told of each. */
const MAX_FILES = 50;

/** The largest file that is read, in bytes: it becomes a part of a prompt. */
const MAX_BYTES = 64 * 1024;

/** How much of a description the model is shown, in UTF-16 units. */
const MAX_DESCRIPTION_CHARS = 200;

/** A name of a role, and so of its file. */
const NAME = /^[A-Za-z0-9][\w-]{0,63}$/;

/**
 * The built-in roles, and those that a person and a trusted project have written as Markdown files
 * with `name`, `description`, `tools` and `model` above the instructions. Of a project that is not
 * trusted nothing is read.
 */
export async function loadRoles(
  { workspace, config }: Pick<Places, "workspace" | "config">,
  trust: Trust,
): Promise<Roles> {
  const roles = new Map<string, Role>();
  const warnings: string[] = [];
  for (const folder of foldersOf(workspace, config)) {
    if (folder.within !== undefined && trust !== "trusted") continue;
    for (const path of await filesOf(folder, warnings)) {
      const read = await readRole(path, folder.within);
      warnings.push(...read.warnings);
      if (read.role && !roles.has(read.role.name)) roles.set(read.role.name, read.role);
    }
  }
  for (const role of BUILT_IN_ROLES) if (!roles.has(role.name)) roles.set(role.name, role);
  return { roles, warnings };
}

/** The files of a project's own roles, the closest folder first; what they hold is not read. */
export async function projectRoleFiles(workspace: string): Promise<readonly string[]> {
  const folders = foldersOf(workspace, undefined);
  return (await Promise.all(folders.map((folder) => filesOf(folder, [])))).flat();
}

interface Folder {
  readonly path: string;
  /** Of a project: what a link leads out of this folder to is left out. */
  readonly within?: string;
}

function foldersOf(workspace: string, config: string | undefined): Folder[] {
  const projects = projectFolders(workspace);
  const within = projects.at(-1) ?? workspace;
  return [
    ...projects.map((folder) => ({ path: join(folder, PROJECT_FOLDER, ROLES_FOLDER), within })),
    ...(config === undefined ? [] : [{ path: join(config, ROLES_FOLDER) }]),
  ];
}

async function filesOf({ path }: Folder, warnings: string[]): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(path)) {
      if (/^[^.].*\.md$/i.test(name)) names.push(name);
    }
  } catch (error) {
    const absent = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.NotCapable;
    if (!absent) warnings.push(`Cannot read agents in "${path}": ${reasonOf(error)}`);
  }
  return names.sort().slice(0, MAX_FILES).map((name) => join(path, name));
}

async function readRole(
  path: string,
  within: string | undefined,
): Promise<{ role?: Role; warnings: string[] }> {
  const warnings: string[] = [];
  let text;
  try {
    text = await readText(path, within);
  } catch (error) {
    return { warnings: [`Cannot use agent "${path}": ${reasonOf(error)}`] };
  }
  const { facts, body, problem } = await readFrontMatter(text);
  if (problem) {
    // Without its facts a role might do more than whoever wrote it meant it to.
    return { warnings: [`Cannot use agent "${path}": line ${problem.line}: ${problem.message}`] };
  }
  const name = facts["name"] ?? path.replace(/^.*\//, "").replace(/\.md$/i, "");
  if (typeof name !== "string" || !NAME.test(name)) {
    return { warnings: [`Cannot use agent "${path}": a name is letters, digits, _ and -`] };
  }
  const tools = toolsOf(facts["tools"]);
  if (tools === "unreadable") {
    return { warnings: [`Cannot use agent "${path}": "tools" is no list of names`] };
  }
  const { description, model } = facts;
  if (model !== undefined && typeof model !== "string") warnings.push(passedOver(path, "model"));
  if (description !== undefined && typeof description !== "string") {
    warnings.push(passedOver(path, "description"));
  }
  const role: Role = {
    name,
    description: typeof description === "string" ? shortened(description) : "",
    instructions: personalInstructions(body),
    ...(tools && { tools }),
    ...(typeof model === "string" && model !== "inherit" && { model }),
  };
  return { role, warnings };
}

async function readText(path: string, within: string | undefined): Promise<string> {
  const real = await Deno.realPath(path);
  if (within !== undefined && !isInside(real, within)) {
    throw new Error(`it leads to "${real}", outside the project`);
  }
  const { size, isFile } = await Deno.stat(real);
  if (!isFile) throw new Error("it is no file");
  if (size > MAX_BYTES) throw new Error("it is over 64 KB");
  return new TextDecoder().decode(await Deno.readFile(real));
}

/** Names between commas or blanks, or a list of them. */
function toolsOf(value: unknown): readonly string[] | undefined | "unreadable" {
  if (value === undefined || value === null) return undefined;
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.some((item) => typeof item !== "string")) return "unreadable";
  return items.join(" ").split(/[\s,]+/).filter((name) => name !== "");
}

function passedOver(path: string, key: string): string {
  return `${path}: "${key}" is passed over: it is no text`;
}

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > MAX_DESCRIPTION_CHARS ? `${line.slice(0, MAX_DESCRIPTION_CHARS)}…` : line;
}
