import { CommandError, type Commands } from "../commands/commands.ts";
import { launchConfined, type LaunchOptions } from "./confined_launch.ts";
import { createConfinedOpener } from "./open_confined.ts";
import { neverStarted, withinLimit } from "../commands/running.ts";
import type { Shell } from "../commands/shell.ts";
import { KILL_GRACE_MS } from "../commands/signals.ts";
import { SpillBudget } from "../commands/spill.ts";
import { after } from "../commands/timers.ts";

/** A sandbox that has not come up after this does not come up, in milliseconds. */
const START_LIMIT_MS = 30_000;

export interface ConfinedOptions extends Omit<LaunchOptions, "spillBudget"> {
  readonly shell: Shell;
}

/**
 * Commands in the kernel view (tier 1): each in namespaces of its own, under the seccomp filter and
 * limits. Where it ends, is ended, or this process dies, everything that it started ends with it.
 */
export function createConfinedCommands(
  { shell, ...given }: ConfinedOptions,
): Commands & AsyncDisposable {
  const options: LaunchOptions = { ...given, spillBudget: new SpillBudget() };
  const { view, filter, clean } = options;
  return {
    ...createConfinedOpener({ view, filter, clean, cwd: () => shell.cwd }),
    shell,
    get cwd() {
      return shell.cwd;
    },
    async start(argv, command) {
      const launched = launchConfined(argv, { cwd: shell.cwd, ...command }, options);
      using limit = after(START_LIMIT_MS);
      const up = launched.begun.then(() => true);
      if (await Promise.race([up, launched.ended, limit.passed])) return launched;
      await launched.stop(0);
      throw new CommandError(`Cannot start "${argv[0]}": the sandbox does not come up`);
    },
    async run(argv, command) {
      if (command.signal?.aborted) return neverStarted();
      const launched = launchConfined(argv, { cwd: shell.cwd, ...command }, options);
      // The limit is kept inside; what does not end by SIGTERM is ended from here.
      const timeoutMs = command.timeoutMs + KILL_GRACE_MS;
      return await withinLimit(launched, { ...command, timeoutMs }, 0);
    },
  };
}
