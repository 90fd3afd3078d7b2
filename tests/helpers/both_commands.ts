import { join } from "node:path";
import type { Commands } from "../../sandbox/commands/commands.ts";
import { createConfinedCommands } from "../../sandbox/view/confined_commands.ts";
import { confinedStateFolder } from "../../sandbox/view/confined_shell_folder.ts";
import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import { createProcessGroupCommands } from "../../sandbox/commands/process_group.ts";
import { createShell } from "../../sandbox/commands/shell.ts";
import { ownStateFolder } from "../../sandbox/commands/shell_folder.ts";
import { canConfine, confinedHouse } from "./confined.ts";

/** Commands in a workspace of their own, whatever backs them; what they opened ends with them. */
export interface CommandHouse extends AsyncDisposable {
  readonly commands: Commands;
  readonly workspace: string;
}

/** An implementation of `commands`, for tests that hold for each. */
export interface CommandsKind {
  readonly name: "view" | "process group";
  /** True where this machine cannot have it. */
  readonly ignore: boolean;
  /** `files` lie in the workspace. */
  open(files?: Readonly<Record<string, string>>): Promise<CommandHouse>;
}

/** Where Debian's own programs lie, besides those of a machine's user. */
const PATH = "/usr/local/bin:/usr/bin:/bin";

export const BOTH_COMMANDS: readonly CommandsKind[] = [
  { name: "view", ignore: !await canConfine(), open: (files) => openHouse(files, true) },
  { name: "process group", ignore: false, open: (files) => openHouse(files, false) },
];

async function openHouse(
  files: Readonly<Record<string, string>> = {},
  confined: boolean,
): Promise<CommandHouse> {
  const house = await confinedHouse(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`ws/${name}`, text])),
  );
  const commands = confined ? await inView(house) : inGroup(house);
  return {
    commands,
    workspace: house.workspace,
    async [Symbol.asyncDispose]() {
      await commands[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
    },
  };
}

type House = Awaited<ReturnType<typeof confinedHouse>>;

async function inView(house: House) {
  const opened = await house.open();
  if (!opened.ok) throw new Error(`${opened.reason}: ${opened.fix}`);
  const { view, filter } = opened;
  const state = confinedStateFolder(view.shellFolder);
  const shell = createShell({ workspace: view.workspace, state });
  return createConfinedCommands({ view, filter, shell });
}

function inGroup({ workspace, home, session }: House) {
  const state = ownStateFolder(join(session, "shell"));
  return createProcessGroupCommands({
    shell: createShell({ workspace, state }),
    environment: commandEnvironment({ PATH, HOME: home }),
    spillFolder: session,
  });
}
