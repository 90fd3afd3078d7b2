import { basename, join } from "node:path";
import { bwrapArguments } from "./bwrap.ts";
import { startBwrap } from "./bwrap_process.ts";
import {
  CommandError,
  type CommandOptions,
  type CommandResult,
  type Commands,
} from "./commands.ts";
import { watchDisks } from "./disk_watch.ts";
import { withVariables } from "./environment.ts";
import { DISK_BUDGET_BYTES } from "./limits.ts";
import { type Mark, MarkReader } from "./marks.ts";
import { createConfinedOpener } from "./open_confined.ts";
import { Output } from "./output.ts";
import { Pipe } from "./pipe.ts";
import type { PipedProcess, PipedStatus } from "./piped_process.ts";
import type { Shell } from "./shell.ts";
import { KILL_GRACE_MS } from "./signals.ts";
import { partLocale, supervisorArguments } from "./supervisor.ts";
import { after, stopAt } from "./timers.ts";
import { startEnvironment, type View } from "./view.ts";

/** How long after the sandbox's end its pipes are still read, in milliseconds. */
const DRAIN_MS = 250;

/** After SIGKILL a process that has not ended waits in the kernel; nobody waits for it with us. */
const UNKILLABLE_MS = 1_000;

/** Names of signals by number, the same on x86-64 and arm64 (signal(7)). */
const SIGNALS = [
  ..."HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT".split(" "),
  ..."CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS".split(" "),
];

export interface ConfinedOptions {
  readonly view: View;
  /** The seccomp filter (`seccomp.ts`). */
  readonly filter: Uint8Array;
  readonly shell: Shell;
  /** How tools name the folder of spilled output; default as commands see it. */
  readonly spillName?: string;
  /** The host's folders whose disks commands can fill. */
  readonly watched?: readonly string[];
  readonly diskBudgetBytes?: number;
}

/**
 * Commands in the kernel view (tier 1): each in namespaces of its own, under the seccomp filter and
 * limits. Where it ends, is ended, or this process dies, everything that it started ends with it.
 */
export function createConfinedCommands(options: ConfinedOptions): Commands & AsyncDisposable {
  const { shell, view, filter } = options;
  return {
    ...createConfinedOpener({ view, filter, cwd: () => shell.cwd }),
    shell,
    get cwd() {
      return shell.cwd;
    },
    async run(argv, command) {
      if (command.signal?.aborted) return neverStarted();
      return await runConfined(argv, { cwd: shell.cwd, ...command }, options);
    },
  };
}

async function runConfined(
  argv: readonly [string, ...string[]],
  command: CommandOptions & { readonly cwd: string },
  options: ConfinedOptions,
): Promise<CommandResult> {
  const { view, diskBudgetBytes = DISK_BUDGET_BYTES } = options;
  const started = performance.now();
  const key = crypto.randomUUID();
  using limit = stopAt(command.timeoutMs + KILL_GRACE_MS, command.signal);
  using disks = watchDisks(options.watched ?? [], diskBudgetBytes);
  const { PATH: path = view.environment["PATH"] ?? "", ...extra } = withVariables({}, command.env);
  const base = partLocale(startEnvironment(view));
  const { locale, rest: variables } = partLocale({ ...base.locale, ...extra });
  const { cwd, timeoutMs } = command;
  const supervised = supervisorArguments(view, { key, argv, cwd, path, locale, timeoutMs });
  const process = startBwrap(bwrapArguments(view, supervised, { variables }), {
    environment: base.rest,
    input: options.filter,
    runAs: view.runAs,
  });
  const spill = view.outFolder === undefined || command.spill === undefined
    ? undefined
    : { folder: view.outFolder.host, name: command.spill };
  const output = new Output({ spill, onOutput: command.onOutput });
  const told = readOutput(process, output, key);
  const ending = await untilEnd(process, Promise.race([limit.reached, disks.exceeded]));
  await told.finish();
  const durationMs = Math.round(performance.now() - started);
  assertStarted(argv[0], told, ending, output);
  if (ending.stopped === "disk") output.write("stderr", diskNote(diskBudgetBytes));
  const kept = output.close();
  return {
    ...kept,
    ...(kept.spill && { spill: { ...kept.spill, path: spillPath(kept.spill.path, options) } }),
    ...factsOf(ending, told),
    backgroundEnded: told.ended?.left ?? 0,
    durationMs,
  };
}

function spillPath(path: string, { view, spillName }: ConfinedOptions): string {
  const folder = spillName ?? view.outFolder?.seen;
  return folder === undefined ? path : join(folder, basename(path));
}

function diskNote(bytes: number): Uint8Array {
  const note = `cordon: stopped, since more than ${bytes / 1024 ** 2} MB were written\n`;
  return new TextEncoder().encode(note);
}

/** What the supervisor said, and the reading of both streams. */
interface Told {
  started: boolean;
  refused?: string;
  ended?: Extract<Mark, { kind: "ended" }>;
  /** Waits until both streams are read to their ends, but not for ever. */
  finish(): Promise<void>;
}

function readOutput(process: PipedProcess, output: Output, key: string): Told {
  const told: Told = {
    started: false,
    async finish() {
      await Promise.all(pipes.map((pipe) => pipe.finish(DRAIN_MS)));
      marks.end();
    },
  };
  const marks = new MarkReader(key, (bytes) => output.write("stderr", bytes), (mark) => {
    switch (mark.kind) {
      case "started":
        told.started = true;
        break;
      case "refused":
        told.refused = mark.why;
        break;
      case "ended":
        told.ended = mark;
        break;
    }
  });
  const pipes = [
    new Pipe(process.stdout, (bytes) => output.write("stdout", bytes)),
    new Pipe(process.stderr, (bytes) => marks.write(bytes)),
  ];
  return told;
}

type Stopped = "timeout" | "abort" | "disk";

interface Ending {
  /** Undefined where the process could not be ended. */
  readonly status: PipedStatus | undefined;
  /** What ended it from outside. */
  readonly stopped?: Stopped;
}

async function untilEnd(process: PipedProcess, stop: Promise<Stopped>): Promise<Ending> {
  const first = await Promise.race([process.status, stop]);
  if (typeof first !== "string") return { status: first };
  // The namespace dies with its bubblewrap, and all that lives in it.
  process.kill();
  using patience = after(UNKILLABLE_MS);
  const status = await Promise.race([process.status, patience.passed]);
  return { status, stopped: first };
}

/** Without the word of the supervisor nothing says that there was a confinement: never a result. */
function assertStarted(program: string, told: Told, ending: Ending, output: Output): void {
  if (told.started || ending.stopped !== undefined) return;
  const said = output.close().stderr.head.trim();
  const why = told.refused ?? (said === "" ? "the sandbox did not come up" : said);
  throw new CommandError(`Cannot start "${program}": ${why}`);
}

type Facts = Pick<CommandResult, "exitCode" | "signal" | "timedOut" | "aborted">;

function factsOf({ status, stopped }: Ending, { ended }: Told): Facts {
  if (stopped !== undefined) {
    return {
      exitCode: null,
      signal: stopped === "disk" ? "SIGXFSZ" : "SIGKILL",
      timedOut: stopped === "timeout",
      aborted: stopped === "abort",
    };
  }
  const code = status?.code ?? 137;
  // Past the limit a code above 128 is our SIGTERM's, whatever shell passed it on.
  const signal = ended?.how === "exit" ? null : signalName(code) ?? null;
  return {
    exitCode: signal === null ? code : null,
    signal,
    timedOut: ended?.how === "limit",
    aborted: false,
  };
}

/** The signal of an exit code as shells make it: 128 and the number. */
function signalName(code: number): string | undefined {
  const name = SIGNALS[code - 128 - 1];
  return name === undefined ? undefined : `SIG${name}`;
}

function neverStarted(): CommandResult {
  const nothing = { head: "", tail: "", bytes: 0, omitted: 0 };
  return {
    ...{ stdout: nothing, stderr: nothing, exitCode: null, signal: "SIGKILL" },
    ...{ timedOut: false, aborted: true, durationMs: 0, backgroundEnded: 0 },
  };
}
