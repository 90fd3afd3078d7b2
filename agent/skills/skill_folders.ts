import { join } from "node:path";
import { projectFolders } from "../config/project.ts";
import type { Places } from "../places.ts";

/** A folder whose sub-folders are skills. */
export interface SkillFolder {
  readonly folder: string;
  readonly origin: "project" | "user";
  /** What a link leads out of this folder to is no part of a project's skills. */
  readonly within?: string;
}

/** Where skills lie in a folder: agentskills.io's own place, ours, and that of the best-known agent. */
const INSIDE = [".agents/skills", ".cordon/skills", ".claude/skills"] as const;

/**
 * Where skills can lie, the first goes before the others: the workspace, the folders above it up to
 * the project's root, the person's home, their configuration. Nothing is looked at but `.git`.
 */
export function skillFolders(
  { workspace, home, config }: Pick<Places, "workspace" | "home" | "config">,
): SkillFolder[] {
  // A home that is a repository of its own is the person's still, and no stranger's project.
  const projects = projectFolders(workspace).filter((folder) => folder !== home);
  const within = projects.at(-1) ?? workspace;
  return [
    ...projects.flatMap((folder) =>
      INSIDE.map((name): SkillFolder => ({ folder: join(folder, name), origin: "project", within }))
    ),
    ...(home === undefined
      ? []
      : INSIDE.map((name): SkillFolder => ({ folder: join(home, name), origin: "user" }))),
    ...(config === undefined ? [] : [{ folder: join(config, "skills"), origin: "user" } as const]),
  ];
}
