import { runBashScript } from "./bash_script.ts";
import {
  CommandError,
  type CommandOptions,
  type CommandResult,
  type Commands,
} from "./commands.ts";
import { closingDescriptors, inheritedDescriptors } from "./descriptors.ts";
import { type Environment, withVariables } from "./environment.ts";
import { createGroupOpener } from "./open_group.ts";
import { Output } from "./output.ts";
import { Pipe } from "./pipe.ts";
import type { Shell } from "./shell.ts";
import { after, stopAt } from "./timers.ts";
import { endGroup, endStrays, KILL_GRACE_MS } from "./signals.ts";

/**
 * How long after a command's end its pipes are still read, in milliseconds: a grandchild that left
 * the process group can hold them open for ever.
 */
const DRAIN_MS = 250;

/** After SIGKILL a process that has not ended waits in the kernel; nobody waits for it with us. */
const UNKILLABLE_MS = 1_000;

export interface ProcessGroupOptions {
  readonly shell: Shell;
  /** The whole environment of commands (`environment.ts`). */
  readonly environment: Environment;
  /** Where spill files go; undefined where nothing may be written. */
  readonly spillFolder?: string | undefined;
}

/** Commands without a kernel view (tier 3): each is a process group, and nothing confines it. */
export function createProcessGroupCommands(
  options: ProcessGroupOptions,
): Commands & AsyncDisposable {
  const { shell, environment, spillFolder } = options;
  let descriptors: Promise<readonly number[]> | undefined;
  return {
    ...createGroupOpener({ environment, spillFolder, cwd: () => shell.cwd }),
    shell,
    get cwd() {
      return shell.cwd;
    },
    async run(argv, options) {
      if (options.signal?.aborted) return neverStarted();
      const group = {
        ...options,
        cwd: options.cwd ?? shell.cwd,
        environment: withVariables(environment, options.env),
        spillFolder,
      };
      descriptors ??= inheritedDescriptors(environment);
      const inherited = await descriptors;
      if (inherited.length > 0 && argv[0] !== "bash") await assertStartable(argv[0], group);
      return await runGroup(closingDescriptors(argv, inherited), group);
    },
  };
}

interface GroupOptions extends CommandOptions {
  readonly cwd: string;
  readonly environment: Environment;
  readonly spillFolder: string | undefined;
}

async function runGroup(
  argv: readonly [string, ...string[]],
  options: GroupOptions,
): Promise<CommandResult> {
  const started = performance.now();
  const child = spawn(argv, options);
  const output = new Output({ spill: spillOptions(options), onOutput: options.onOutput });
  const pipes = [
    new Pipe(child.stdout, (bytes) => output.write("stdout", bytes)),
    new Pipe(child.stderr, (bytes) => output.write("stderr", bytes)),
  ];
  const ending = await untilEnd(child, options);
  await Promise.all(pipes.map((pipe) => pipe.finish(DRAIN_MS)));
  const left = await ending.left;
  return {
    ...output.close(),
    ...ending.facts,
    backgroundEnded: left,
    durationMs: Math.round(performance.now() - started),
  };
}

function spillOptions({ spillFolder, spill }: GroupOptions) {
  if (spillFolder === undefined || spill === undefined) return undefined;
  return { folder: spillFolder, name: spill };
}

function spawn(argv: readonly [string, ...string[]], options: GroupOptions): Deno.ChildProcess {
  const [program, ...args] = argv;
  try {
    return new Deno.Command(program, {
      args,
      cwd: options.cwd,
      clearEnv: true,
      env: { ...options.environment },
      detached: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (cause) {
    throw startError(program, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function startError(program: string, why: string, cause?: unknown): CommandError {
  return new CommandError(`Cannot start "${program}": ${why}`, { cause });
}

/**
 * Makes sure that a program can be started, where it is a bash of ours that starts it: its exit
 * code could not tell.
 */
async function assertStartable(program: string, { cwd, environment }: GroupOptions): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "run", command: program });
  if (state !== "granted") throw startError(program, "running it was not granted");
  const script = 'cd -- "$2" && type -P -- "$1"';
  const found = await runBashScript(script, [program, cwd], environment);
  if (found === "") throw startError(program, `no such program, or no folder "${cwd}"`);
}

type Facts = Pick<CommandResult, "exitCode" | "signal" | "timedOut" | "aborted">;

interface Ending {
  readonly facts: Facts;
  /** Resolves, when nothing of the group is left, to how many the command left behind. */
  readonly left: Promise<number>;
}

/** Waits for the program's end, or brings it about at the time limit or when `signal` is raised. */
async function untilEnd(child: Deno.ChildProcess, options: GroupOptions): Promise<Ending> {
  const { environment, timeoutMs, signal } = options;
  using limit = stopAt(timeoutMs, signal);
  const first = await Promise.race([child.status, limit.reached]);
  if (typeof first !== "string") {
    return { facts: facts(first), left: endStrays(child.pid, environment) };
  }
  await endGroup(child.pid, KILL_GRACE_MS, environment);
  using patience = after(UNKILLABLE_MS);
  const status = await Promise.race([child.status, patience.passed]);
  return { facts: facts(status, first), left: Promise.resolve(0) };
}

function facts(status: Deno.CommandStatus | undefined, stopped?: "timeout" | "abort"): Facts {
  const signal = status ? status.signal : "SIGKILL";
  return {
    exitCode: status && signal === null ? status.code : null,
    signal,
    timedOut: stopped === "timeout",
    aborted: stopped === "abort",
  };
}

function neverStarted(): CommandResult {
  const nothing = { head: "", tail: "", bytes: 0, omitted: 0 };
  const stopped = facts(undefined, "abort");
  return { stdout: nothing, stderr: nothing, ...stopped, durationMs: 0, backgroundEnded: 0 };
}
