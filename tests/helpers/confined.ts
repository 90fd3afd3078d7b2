import type { CommandOptions, CommandResult, Commands } from "../../sandbox/commands/commands.ts";
import {
  type ConfinedOptions,
  createConfinedCommands,
} from "../../sandbox/view/confined_commands.ts";
import { confinedStateFolder } from "../../sandbox/view/confined_shell_folder.ts";
import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import { type OpenedView, openView, type OpenViewOptions } from "../../sandbox/view/open_view.ts";
import { createShell } from "../../sandbox/commands/shell.ts";
import { type TempDir, tempDir } from "./temp_dir.ts";

/** A limit that no test is to meet, in milliseconds. */
const LONG_MS = 300_000;

/** Whether this machine can build a view at all: Linux, bubblewrap, namespaces. */
export async function canConfine(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  const args = ["--unshare-user", "--unshare-pid", "--unshare-net", "--disable-userns"];
  try {
    const { success } = await new Deno.Command("bwrap", {
      args: [...args, "--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/sh", "-c", ":"],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().status;
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A workspace, a home and a state folder side by side, and the folders of a session. */
export interface ConfinedHouse extends AsyncDisposable {
  readonly dir: TempDir;
  readonly workspace: string;
  readonly home: string;
  readonly state: string;
  readonly session: string;
  /** Opens a view; what is not given is as a run with default flags has it. */
  open(options?: Partial<OpenViewOptions>): Promise<OpenedView>;
  /** Opens a view and answers commands in it; a test fails where there is none. */
  commands(
    options?: Partial<OpenViewOptions>,
    confined?: Partial<ConfinedOptions>,
  ): Promise<ConfinedShell>;
}

export interface ConfinedShell {
  readonly opened: Extract<OpenedView, { ok: true }>;
  readonly commands: Commands;
  /** Runs `bash -c script`. */
  run(script: string, options?: Partial<CommandOptions>): Promise<CommandResult>;
  /** The same; what it printed on both streams. */
  text(script: string): Promise<string>;
}

/** `files` lie in the house: `ws/…`, `home/…`, or beside them. `name` is the workspace's. */
export async function confinedHouse(
  files: Readonly<Record<string, string>> = {},
  name = "ws",
): Promise<ConfinedHouse> {
  const dir = await tempDir({ [`${name}/`]: "", "home/": "", "state/session/": "", ...files });
  const [workspace, home, state] = [dir.join(name), dir.join("home"), dir.join("state")];
  const session = dir.join("state", "session");
  const house: ConfinedHouse = {
    ...{ dir, workspace, home, state, session },
    open: (options = {}) =>
      openView({
        profile: "workspace",
        places: { workspace, state, home, sessionFolder: session },
        session: "test",
        environment: commandEnvironment({ PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home }),
        ...options,
      }),
    async commands(options, confined) {
      const opened = await house.open(options);
      if (!opened.ok) throw new Error(`${opened.reason}: ${opened.fix}`);
      return shellIn(opened, confined ?? {});
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
  return house;
}

function shellIn(
  opened: Extract<OpenedView, { ok: true }>,
  confined: Partial<ConfinedOptions>,
): ConfinedShell {
  const { view, filter } = opened;
  const state = confinedStateFolder(view.shellFolder);
  const shell = createShell({ workspace: view.workspace, state });
  const commands = createConfinedCommands({ view, filter, shell, ...confined });
  const run: ConfinedShell["run"] = (script, options) =>
    commands.run(["bash", "-c", script], { timeoutMs: LONG_MS, ...options });
  return {
    opened,
    commands,
    run,
    async text(script) {
      const { stdout, stderr } = await run(script);
      return stdout.head + stdout.tail + stderr.head + stderr.tail;
    },
  };
}

/** A command on the host, as a person would run it; what it printed. */
export async function onHost(cwd: string, program: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, success } = await new Deno.Command(program, {
    args,
    cwd,
    clearEnv: true,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: cwd, GIT_CONFIG_GLOBAL: "/dev/null" },
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  if (!success) throw new Error(`${program} ${args.join(" ")}: ${text}`);
  return text;
}

/** Makes a repository with one commit. */
export async function makeRepository(folder: string): Promise<void> {
  await onHost(folder, "git", "init", "-q", ".");
  await onHost(folder, "git", "config", "user.name", "Test");
  await onHost(folder, "git", "config", "user.email", "test@localhost");
  await onHost(folder, "git", "commit", "-q", "--allow-empty", "-m", "first");
}
