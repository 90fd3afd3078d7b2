import { runBashScript } from "./bash_script.ts";
import {
  CommandError,
  type CommandResult,
  type Commands,
  type RunningCommand,
  type StartOptions,
} from "./commands.ts";
import { closingDescriptors, inheritedDescriptors } from "./descriptors.ts";
import { type Environment, withVariables } from "./environment.ts";
import { createGroupOpener } from "./open_group.ts";
import { Output } from "./output.ts";
import { Pipe } from "./pipe.ts";
import {
  DRAIN_MS,
  neverStarted,
  runningCommand,
  StopRequest,
  UNKILLABLE_MS,
  withinLimit,
} from "./running.ts";
import type { ControlStripper } from "./control.ts";
import type { Shell } from "./shell.ts";
import { endGroup, endStrays, KILL_GRACE_MS } from "./signals.ts";
import { SpillBudget } from "./spill.ts";
import { after } from "./timers.ts";

export interface ProcessGroupOptions {
  readonly shell: Shell;
  /** The whole environment of commands (`environment.ts`). */
  readonly environment: Environment;
  /** Where spill files go; undefined where nothing may be written. */
  readonly spillFolder?: string | undefined;
  /** What cleans each stream of output; default: it takes control sequences out. */
  readonly clean?: (() => ControlStripper) | undefined;
}

/** Commands without a kernel view (tier 3): each is a process group, and nothing confines it. */
export function createProcessGroupCommands(
  options: ProcessGroupOptions,
): Commands & AsyncDisposable {
  const { shell, environment, spillFolder, clean } = options;
  const budget = new SpillBudget();
  let descriptors: Promise<readonly number[]> | undefined;
  const start: Commands["start"] = async (argv, options) => {
    const group = {
      ...options,
      cwd: options.cwd ?? shell.cwd,
      environment: withVariables(environment, options.env),
      spillFolder,
      budget,
      clean,
    };
    descriptors ??= inheritedDescriptors(environment);
    const inherited = await descriptors;
    if (inherited.length > 0 && argv[0] !== "bash") await assertStartable(argv[0], group);
    return startGroup(closingDescriptors(argv, inherited), group);
  };
  return {
    ...createGroupOpener({ environment, spillFolder, clean, cwd: () => shell.cwd }),
    shell,
    get cwd() {
      return shell.cwd;
    },
    start,
    async run(argv, options) {
      if (options.signal?.aborted) return neverStarted();
      return await withinLimit(await start(argv, options), options, KILL_GRACE_MS);
    },
  };
}

interface GroupOptions extends StartOptions {
  readonly cwd: string;
  readonly environment: Environment;
  readonly spillFolder: string | undefined;
  readonly budget: SpillBudget;
  readonly clean: (() => ControlStripper) | undefined;
}

function startGroup(
  argv: readonly [string, ...string[]],
  options: GroupOptions,
): RunningCommand {
  const startedAt = performance.now();
  const child = spawn(argv, options);
  const { clean, onOutput } = options;
  const output = new Output({ spill: spillOptions(options), clean, onOutput });
  const pipes = [
    new Pipe(child.stdout, (bytes) => output.write("stdout", bytes)),
    new Pipe(child.stderr, (bytes) => output.write("stderr", bytes)),
  ];
  const request = new StopRequest();
  const untilEnded = async (): Promise<CommandResult> => {
    const ending = await untilEnd(child, request.requested, options.environment);
    await Promise.all(pipes.map((pipe) => pipe.finish(DRAIN_MS)));
    const left = await ending.left;
    return {
      ...output.close(),
      ...ending.facts,
      backgroundEnded: left,
      durationMs: Math.round(performance.now() - startedAt),
    };
  };
  return runningCommand({ pid: child.pid, startedAt, ended: untilEnded() }, output, request);
}

function spillOptions({ spillFolder, spill, budget }: GroupOptions) {
  if (spillFolder === undefined || spill === undefined) return undefined;
  return { folder: spillFolder, name: spill, budget };
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

/** Waits for the program's end, or brings it about when that is asked for. */
async function untilEnd(
  child: Deno.ChildProcess,
  stop: Promise<number>,
  environment: Environment,
): Promise<Ending> {
  const first = await Promise.race([child.status, stop]);
  if (typeof first !== "number") {
    return { facts: facts(first, false), left: endStrays(child.pid, environment) };
  }
  await endGroup(child.pid, first, environment);
  using patience = after(UNKILLABLE_MS);
  const status = await Promise.race([child.status, patience.passed]);
  return { facts: facts(status, true), left: Promise.resolve(0) };
}

function facts(status: Deno.CommandStatus | undefined, stopped: boolean): Facts {
  const signal = status ? status.signal : "SIGKILL";
  return {
    exitCode: status && signal === null ? status.code : null,
    signal,
    timedOut: false,
    aborted: stopped,
  };
}
