import type { Commands } from "../../sandbox/commands/commands.ts";
import type { Shell } from "../../sandbox/commands/shell.ts";
import type { WriteFiles } from "../../sandbox/files/files.ts";
import { createFiles } from "../../sandbox/files/guarded_files.ts";
import { ripgrepBy } from "../../sandbox/files/ripgrep.ts";
import { extraFolders, type Launch } from "../launch.ts";
import type { Session } from "../session/log.ts";
import type { SkillReach } from "../skills/skill_reach.ts";

/** Files of this process, behind a guard; `search`: runs ripgrep, where it may run. */
export function guardedFiles(
  launch: Launch,
  session: Session,
  shell: Shell,
  skills: SkillReach,
  search: Commands | undefined,
): WriteFiles {
  const { places } = launch;
  return createFiles({
    roots: {
      workspace: places.workspace,
      ...(session.folder !== undefined && { session: session.folder }),
      ...extraRoots(launch, skills),
    },
    cwd: () => shell.cwd,
    ...(places.home !== undefined && { home: places.home }),
    ...(search && { search: ripgrepBy(search) }),
  });
}

/** Folders outside the workspace that were granted, and those of skills. */
export function extraRoots({ grants, places }: Launch, { folders }: SkillReach) {
  return {
    extraRead: [...extraFolders(grants, "read", places), ...folders],
    extraWrite: extraFolders(grants, "write", places),
  };
}
