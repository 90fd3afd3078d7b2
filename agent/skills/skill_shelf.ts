import { join } from "node:path";
import type { Skills, SkillSummary, SkillText, Tool } from "../../tools/tool.ts";
import { toolsFor } from "../allowed_tools.ts";
import type { FoundSkills } from "./find_skills.ts";
import type { Skill } from "./read_skill.ts";

/** What a shelf is made with. */
export interface ShelfParts {
  /** Looks for skills now. */
  readonly find: () => Promise<FoundSkills>;
  /** The tools of the run, which a skill may leave fewer of. */
  readonly tools: readonly Tool[];
  /** Tells a person what is wrong with a skill, once. */
  readonly warn: (line: string) => void;
}

/** The tool that takes skills; a skill cannot forbid it, since it can only make the others fewer. */
const SKILL_TOOL = "skill";

/**
 * The skills of a run, looked for anew each time, so that one which was written meanwhile is there.
 * Those that are taken hold until the task ends: what they allow is all that is left.
 */
export class SkillShelf implements Skills {
  readonly #parts: ShelfParts;
  readonly #warned = new Set<string>();
  #known: readonly Skill[] = [];
  #taken = new Map<string, ReadonlySet<string>>();

  constructor(parts: ShelfParts) {
    this.#parts = parts;
  }

  /** Those that the model may take, as they were at the last look. */
  get known(): readonly SkillSummary[] {
    return this.#known.filter(({ forModel }) => forModel);
  }

  async list(): Promise<readonly SkillSummary[]> {
    await this.look();
    return this.known;
  }

  /** Looks for skills anew. */
  async look(): Promise<void> {
    const { skills, warnings } = await this.#parts.find();
    this.#known = skills;
    for (const line of warnings) this.#warn(line);
  }

  async take(name: string): Promise<SkillText | undefined> {
    await this.look();
    const skill = this.#known.find((known) => known.forModel && known.name === name);
    if (!skill) return undefined;
    const allowed = toolsFor(skill, this.#parts.tools, (line) => this.#warn(line));
    if (allowed) this.#taken.set(name, allowed);
    const { description, body, folder } = skill;
    return {
      ...{ name, description, body, folder },
      files: await filesIn(folder),
      ...(allowed && { allowedTools: [...allowed] }),
    };
  }

  /** Why a tool cannot be used until the task ends, in a sentence; undefined where it can. */
  refusal(tool: string): string | undefined {
    if (tool === SKILL_TOOL) return undefined;
    for (const [name, allowed] of this.#taken) {
      if (allowed.has(tool)) continue;
      const left = [...allowed].join(", ") || "no tool";
      return `The skill ${name} leaves only ${left} until the task ends, and not ${tool}`;
    }
    return undefined;
  }

  /** What was taken holds no longer. */
  endTask(): void {
    this.#taken = new Map();
  }

  #warn(line: string): void {
    if (this.#warned.has(line)) return;
    this.#warned.add(line);
    this.#parts.warn(line);
  }
}

/** How many files of a skill are named to the model, and how deep they may lie. */
const MAX_FILES = 50;
const MAX_DEPTH = 3;

/** A skill's files besides SKILL.md, sorted; folders that cannot be read have none. */
async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  async function look(inside: string, depth: number): Promise<void> {
    const entries: Deno.DirEntry[] = [];
    try {
      for await (const entry of Deno.readDir(join(folder, inside))) entries.push(entry);
    } catch (error) {
      if (error instanceof Deno.errors.PermissionDenied) return;
      if (error instanceof Deno.errors.NotFound) return;
      throw error;
    }
    for (const { name, isDirectory } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
      const path = join(inside, name);
      if (files.length >= MAX_FILES || name.startsWith(".") || path === "SKILL.md") continue;
      if (!isDirectory) files.push(path);
      else if (depth < MAX_DEPTH) await look(path, depth + 1);
    }
  }
  await look("", 1);
  return files;
}
