import { join } from "node:path";
import { createShell, type Shell } from "../sandbox/shell.ts";
import { bashStateFolder, ownStateFolder } from "../sandbox/shell_folder.ts";
import { createFiles } from "../sandbox/guarded_files.ts";
import { createProcessGroupCommands } from "../sandbox/process_group.ts";
import { ripgrepBy } from "../sandbox/ripgrep.ts";
import { bashTool } from "../tools/bash.ts";
import type { Capabilities } from "./capabilities.ts";
import { extraFolders, type Launch } from "./launch.ts";
import type { Session } from "./session/log.ts";

/** What backs the capabilities of a session, and lets go of it in the end. */
export interface Backing extends AsyncDisposable {
  readonly capabilities: Capabilities;
  readonly shell: Shell;
}

/** Opens what backs the capabilities here: without a kernel view, this process and its children. */
export function openBacking(launch: Launch, session: Session): Backing {
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
  return {
    shell,
    capabilities: { files, commands, store: session.blobs, session: session.conversation },
    async [Symbol.asyncDispose]() {
      await temporary?.[Symbol.asyncDispose]();
    },
  };
}
