import { basename, join } from "node:path";
import { createConfinedFiles } from "../../sandbox/cell/confined.ts";
import { createShell } from "../../sandbox/commands/shell.ts";
import { createSweeper } from "../../sandbox/sweep/sweeper.ts";
import { createConfinedCommands } from "../../sandbox/view/confined_commands.ts";
import { confinedStateFolder } from "../../sandbox/view/confined_shell_folder.ts";
import { removePrivateFolders } from "../../sandbox/view/private_folders.ts";
import { privateFolders } from "../../sandbox/view/view.ts";
import type { Store } from "../../tools/tool.ts";
import type { ProvenView } from "../enclosure.ts";
import type { Launch } from "../launch.ts";
import type { Redaction } from "../redaction.ts";
import type { Session } from "../session/log.ts";
import type { SkillReach } from "../skills/skill_reach.ts";
import type { Ground } from "./ground.ts";
import { extraRoots, guardedFiles } from "./guarded_files.ts";

/** What a ground in a view needs of others. */
export interface ConfinedParts {
  readonly redaction: Redaction;
  /** Tells a person what they must not miss. */
  readonly alarm: (line: string) => void;
  readonly logError: (error: unknown) => void;
  readonly skills: SkillReach;
}

/** Everything that a tool touches lies in the view; this process touches none of it. */
export function confinedGround(
  launch: Launch,
  proven: ProvenView,
  session: Session,
  { redaction, alarm, logError, skills }: ConfinedParts,
): Ground {
  const { places } = launch;
  const { view, filter, programs } = proven;
  const confirmed = proven.confirmed.then((why) => {
    if (why !== undefined) alarm(`warning: the kernel view does not hold any more: ${why}`);
  }, logError);
  const shell = createShell({
    workspace: view.workspace,
    state: confinedStateFolder(view.shellFolder),
  });
  const watched = [places.workspace, ...(places.state === undefined ? [] : [places.state])];
  const clean = () => redaction.cleanStream();
  const commands = createConfinedCommands({ view, filter, shell, watched, clean });
  const out = view.outFolder?.seen;
  const store = seenStore(session, out);
  if (view.profile === "container") {
    // The outer box is the boundary, for files too.
    const files = guardedFiles(launch, session, shell, skills, undefined);
    // The filter lets nobody set set-id bits.
    const sweeper = createSweeper(view.workspace, { setIds: false });
    const nothing = { prepare() {}, [Symbol.asyncDispose]: () => confirmed };
    return { shell, commands, files, store, sweeper, ...nothing };
  }
  const files = createConfinedFiles({
    ...{ view, filter },
    roots: {
      workspace: view.workspace,
      ...(out !== undefined && { session: out }),
      ...extraRoots(launch, skills),
    },
    ...(places.home !== undefined && { home: places.home }),
    ripgrep: programs.includes("rg"),
    cwd: () => shell.cwd,
    state: places.state ?? "",
  });
  return {
    ...{ shell, commands, files, store, sweeper: files.sweeper },
    filesUntil: (signal) => files.abortedBy(signal),
    prepare: () => files.start(),
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]();
      await confirmed;
      // Without a log nothing goes on from here, so HOME and /tmp of the commands go, too.
      if (session.folder !== undefined || places.state === undefined) return;
      await removePrivateFolders(privateFolders(places.state, session.id));
    },
  };
}

/** Keeps what is too long to be shown in the session's folder, and names it as the view sees it. */
function seenStore({ blobs }: Session, out: string | undefined): Store {
  return {
    async save(name, bytes) {
      const saved = await blobs.save(name, bytes);
      return saved === undefined || out === undefined ? undefined : join(out, basename(saved));
    },
  };
}
