import { join } from "node:path";
import { createProcessGroupCommands } from "../../sandbox/commands/process_group.ts";
import { createShell, type StateFolder } from "../../sandbox/commands/shell.ts";
import { bashStateFolder, ownStateFolder } from "../../sandbox/commands/shell_folder.ts";
import { createSweeper } from "../../sandbox/sweep/sweeper.ts";
import type { Launch } from "../launch.ts";
import type { Redaction } from "../redaction.ts";
import type { Session } from "../session/log.ts";
import type { SkillReach } from "../skills/skill_reach.ts";
import type { Ground } from "./ground.ts";
import { guardedFiles } from "./guarded_files.ts";

/** Without a view: files behind a guard in this process, commands as process groups. */
export function ownGround(
  launch: Launch,
  session: Session,
  redaction: Redaction,
  skills: SkillReach,
): Ground {
  const { places, environment, grants } = launch;
  const { folder } = session;
  const temporary = folder === undefined ? bashStateFolder(environment) : undefined;
  const state: StateFolder = temporary ?? ownStateFolder(join(folder ?? "", "shell"));
  const shell = createShell({ workspace: places.workspace, state });
  const clean = () => redaction.cleanStream();
  const commands = createProcessGroupCommands({ shell, environment, spillFolder: folder, clean });
  const search = grants.allows("run", "rg") ? commands : undefined;
  return {
    ...{ shell, commands },
    files: guardedFiles(launch, session, shell, skills, search),
    store: session.blobs,
    ...(grants.allows("read", places.workspace) && { sweeper: createSweeper(places.workspace) }),
    prepare() {},
    async [Symbol.asyncDispose]() {
      await temporary?.[Symbol.asyncDispose]();
    },
  };
}
