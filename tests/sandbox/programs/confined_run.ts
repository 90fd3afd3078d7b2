/**
 * Opens a view and runs one command in it, whose output it passes on:
 * `confined_run.ts HOUSE SCRIPT`, where HOUSE holds `ws`, `state` and `home`.
 */
import { commandEnvironment } from "../../../sandbox/commands/environment.ts";
import { createConfinedCommands } from "../../../sandbox/view/confined_commands.ts";
import { confinedStateFolder } from "../../../sandbox/view/confined_shell_folder.ts";
import { openView } from "../../../sandbox/view/open_view.ts";
import { createShell } from "../../../sandbox/commands/shell.ts";

const [house = "", script = ""] = Deno.args;
const places = { workspace: `${house}/ws`, state: `${house}/state`, home: `${house}/home` };
const environment = commandEnvironment({ PATH: "/usr/bin:/bin", HOME: places.home });
const opened = await openView({ profile: "workspace", places, session: "test", environment });
if (!opened.ok) throw new Error(`${opened.reason}: ${opened.fix}`);
const state = confinedStateFolder(opened.view.shellFolder);
const shell = createShell({ workspace: opened.view.workspace, state });
await createConfinedCommands({ ...opened, shell }).run(["bash", "-c", script], {
  timeoutMs: 60_000,
  onOutput: (_, text) => Deno.stdout.writeSync(new TextEncoder().encode(text)),
});
