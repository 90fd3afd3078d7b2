import { basename, join } from "node:path";
import { bwrapArguments } from "./bwrap.ts";
import { startBwrap } from "./bwrap_process.ts";
import {
  CommandError,
  type CommandResult,
  type Look,
  type RunningCommand,
  type StartOptions,
} from "../commands/commands.ts";
import type { ControlStripper } from "../commands/control.ts";
import { watchDisks } from "./disk_watch.ts";
import { BINDING_MS, terminateNamespace } from "./end_namespace.ts";
import { withVariables } from "../commands/environment.ts";
import { DISK_BUDGET_BYTES } from "./limits.ts";
import { Output } from "../commands/output.ts";
import type { PipedProcess, PipedStatus } from "../commands/piped_process.ts";
import { runningCommand, StopRequest, UNKILLABLE_MS } from "../commands/running.ts";
import { signalOfExitCode } from "../commands/signal_names.ts";
import type { SpillBudget } from "../commands/spill.ts";
import { readSupervised, type Told } from "./supervised_output.ts";
import { partLocale, supervisorArguments } from "./supervisor.ts";
import { after } from "../commands/timers.ts";
import { startEnvironment, type View } from "./view.ts";

/** What all commands of a view are started with. */
export interface LaunchOptions {
  readonly view: View;
  /** The seccomp filter (`seccomp.ts`). */
  readonly filter: Uint8Array;
  /** How tools name the folder of spilled output; default as commands see it. */
  readonly spillName?: string;
  /** The host's folders whose disks commands can fill. */
  readonly watched?: readonly string[];
  readonly diskBudgetBytes?: number;
  readonly spillBudget: SpillBudget;
  /** What cleans each stream of output; default: it takes control sequences out. */
  readonly clean?: (() => ControlStripper) | undefined;
}

/** One command of a view. */
export interface LaunchedCommand extends StartOptions {
  readonly cwd: string;
  /** After this everything in the view gets SIGTERM, from inside; absent: never. */
  readonly timeoutMs?: number;
}

/** A command that may not have come up yet; where it never does, `ended` is rejected. */
export interface Launched extends RunningCommand {
  /** Resolves when the confinement stands and the command runs. */
  readonly begun: Promise<void>;
}

/**
 * Starts a command in namespaces of its own.
 * @throws {CommandError} where bubblewrap cannot be started.
 */
export function launchConfined(
  argv: readonly [string, ...string[]],
  command: LaunchedCommand,
  options: LaunchOptions,
): Launched {
  const startedAt = performance.now();
  const key = crypto.randomUUID();
  const process = startView(argv, command, key, options);
  const { outFolder } = options.view;
  const output = new Output({
    spill: outFolder && command.spill !== undefined
      ? { folder: outFolder.host, name: command.spill, budget: options.spillBudget }
      : undefined,
    clean: options.clean,
    onOutput: command.onOutput,
  });
  const told = readSupervised(process, output, key);
  const request = new StopRequest();
  const untilEnded = async (): Promise<CommandResult> => {
    const ending = await untilEnd(process, told.begun, request.requested, options);
    await told.finish();
    const durationMs = Math.round(performance.now() - startedAt);
    assertStarted(argv[0], told, ending, output);
    if (ending.stopped === "disk") output.write("stderr", diskNote(options));
    const facts = { ...factsOf(ending, told), backgroundEnded: told.ended?.left ?? 0, durationMs };
    return { ...named(output.close(), options), ...facts };
  };
  const running = runningCommand(
    { pid: process.pid, startedAt, ended: untilEnded() },
    output,
    request,
  );
  return {
    ...running,
    look: () => named(running.look(), options),
    peek: () => named(running.peek(), options),
    begun: told.begun,
  };
}

function startView(
  argv: readonly [string, ...string[]],
  { cwd, env, timeoutMs }: LaunchedCommand,
  key: string,
  { view, filter }: LaunchOptions,
): PipedProcess {
  const { PATH: path = view.environment["PATH"] ?? "", ...extra } = withVariables({}, env);
  const base = partLocale(startEnvironment(view));
  const { locale, rest: variables } = partLocale({ ...base.locale, ...extra });
  const supervised = supervisorArguments(view, { key, argv, cwd, path, locale, timeoutMs });
  return startBwrap(bwrapArguments(view, supervised, { variables }), {
    environment: base.rest,
    input: filter,
    runAs: view.runAs,
  });
}

/** Output whose spill file has the name that tools open it by. */
function named<L extends Look>(look: L, { view, spillName }: LaunchOptions): L {
  const folder = spillName ?? view.outFolder?.seen;
  if (!look.spill || folder === undefined) return look;
  return { ...look, spill: { ...look.spill, path: join(folder, basename(look.spill.path)) } };
}

function diskNote({ diskBudgetBytes: bytes = DISK_BUDGET_BYTES }: LaunchOptions): Uint8Array {
  const note = `cordon: stopped, since more than ${bytes / 1024 ** 2} MB were written\n`;
  return new TextEncoder().encode(note);
}

interface Ending {
  /** Undefined where the process could not be ended. */
  readonly status: PipedStatus | undefined;
  /** What ended it from outside. */
  readonly stopped?: "disk" | "request";
  /** It did not end by SIGTERM. */
  readonly killed?: boolean;
}

async function untilEnd(
  process: PipedProcess,
  begun: Promise<void>,
  stop: Promise<number>,
  { view, watched = [], diskBudgetBytes = DISK_BUDGET_BYTES }: LaunchOptions,
): Promise<Ending> {
  using disks = watchDisks(watched, diskBudgetBytes);
  const first = await Promise.race([process.status, stop, disks.exceeded]);
  if (typeof first === "object") return { status: first };
  const stopped = first === "disk" ? "disk" : "request";
  if (first !== "disk" && first > 0) {
    await terminateNamespace(view, process.pid);
    using grace = after(first);
    const status = await Promise.race([process.status, grace.passed]);
    if (status) return { status, stopped };
  }
  await untilBound(process, begun);
  // The namespace dies with its bubblewrap, and all that lives in it.
  process.kill();
  using patience = after(UNKILLABLE_MS);
  const status = await Promise.race([process.status, patience.passed]);
  return { status, stopped, killed: true };
}

/** Resolves when a namespace ends with its bubblewrap, which {@linkcode BINDING_MS} is about. */
async function untilBound(process: PipedProcess, begun: Promise<void>): Promise<void> {
  using patience = after(BINDING_MS);
  await Promise.race([begun, process.status, patience.passed]);
}

/** Without the word of the supervisor nothing says that there was a confinement: never a result. */
function assertStarted(program: string, told: Told, ending: Ending, output: Output): void {
  if (told.started || ending.stopped !== undefined) return;
  const said = output.close().stderr.head.trim();
  const why = told.refused ?? (said === "" ? "the sandbox did not come up" : said);
  throw new CommandError(`Cannot start "${program}": ${why}`);
}

type Facts = Pick<CommandResult, "exitCode" | "signal" | "timedOut" | "aborted">;

function factsOf({ status, stopped, killed }: Ending, { ended }: Told): Facts {
  const aborted = stopped === "request";
  if (killed) {
    const signal = stopped === "disk" ? "SIGXFSZ" : "SIGKILL";
    return { exitCode: null, signal, timedOut: false, aborted };
  }
  const code = status?.code ?? 137;
  // Past the limit a code above 128 is our SIGTERM's, whatever shell passed it on.
  const signal = ended?.how === "exit" ? null : signalOfExitCode(code) ?? null;
  return {
    exitCode: signal === null ? code : null,
    signal,
    timedOut: ended?.how === "limit",
    aborted,
  };
}
