import { join } from "node:path";
import { createShell, type Shell } from "../sandbox/shell.ts";
import { bashStateFolder, ownStateFolder } from "../sandbox/shell_folder.ts";
import { createFiles } from "../sandbox/guarded_files.ts";
import { createProcessGroupCommands } from "../sandbox/process_group.ts";
import { ripgrepBy } from "../sandbox/ripgrep.ts";
import { bashTool } from "../tools/bash.ts";
import type { ApplyModel } from "../tools/tool.ts";
import type { Capabilities } from "./capabilities.ts";
import { createJournal } from "./journal.ts";
import { extraFolders, keepsState, type Launch } from "./launch.ts";
import { recoverJournals } from "./recover_journals.ts";
import type { Session } from "./session/log.ts";

/** What backs the capabilities of a session, and lets go of it in the end. */
export interface Backing extends AsyncDisposable {
  readonly capabilities: Capabilities;
  readonly shell: Shell;
}

/** Opens what backs the capabilities here: without a kernel view, this process and its children. */
export function openBacking(
  launch: Launch,
  session: Session,
  applyModel: ApplyModel | undefined,
): Backing {
  const { places, rights, environment } = launch;
  const spillFolder = session.folder;
  const temporary = spillFolder === undefined ? bashStateFolder(environment) : undefined;
  const state = temporary ?? ownStateFolder(join(session.folder ?? "", "shell"));
  const shell = createShell({ workspace: places.workspace, state });
  // A resumed session goes on where its shell stood.
  const last = session.conversation.latest(bashTool());
  if (last) shell.moveTo(last.cwd);
  const commands = createProcessGroupCommands({ shell, environment, spillFolder });
  const files = createFiles({
    roots: {
      workspace: places.workspace,
      ...(spillFolder !== undefined && { session: spillFolder }),
      extraRead: extraFolders(rights.grants, "read", places),
      extraWrite: extraFolders(rights.grants, "write", places),
    },
    cwd: () => shell.cwd,
    ...(places.home !== undefined && { home: places.home }),
    ...(rights.grants.allows("run", "rg") && { search: ripgrepBy(commands) }),
  });
  const journal = journalFolder(launch);
  return {
    shell,
    capabilities: {
      files,
      commands,
      store: session.blobs,
      session: session.conversation,
      ...(journal !== undefined && { journal: createJournal(journal) }),
      ...(applyModel && { model: applyModel }),
    },
    async [Symbol.asyncDispose]() {
      await temporary?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * Ends the changes of several files in which an earlier process died; resolves to what a person
 * should know of them.
 */
export async function recoverChanges(launch: Launch, { capabilities }: Backing): Promise<string[]> {
  const folder = journalFolder(launch);
  if (folder === undefined || !launch.rights.grants.allows("write", launch.places.workspace)) {
    return [];
  }
  const recoveries = await recoverJournals(folder, capabilities.files);
  return recoveries.flatMap(({ kind, restored, left }) => [
    ...(kind === "undone" ? [`A change that was cut off is undone: ${restored.join(", ")}`] : []),
    ...left.map(({ path, why }) => `A change that was cut off left ${path} as it is: ${why}`),
  ]);
}

/** Where changes of several files are noted before they are made; undefined: nowhere. */
function journalFolder(launch: Launch): string | undefined {
  const { state } = launch.places;
  return state !== undefined && keepsState(launch) ? join(state, "journal") : undefined;
}
