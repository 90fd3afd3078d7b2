import * as z from "zod";
import type { CommandResult, Commands, Look } from "../sandbox/commands/commands.ts";
import type { Job, Jobs } from "../sandbox/commands/jobs.ts";
import { endAtLimit, untilLimit } from "../sandbox/commands/running.ts";
import type { Adopted, ShellCall } from "../sandbox/commands/shell.ts";
import { KILL_GRACE_MS } from "../sandbox/commands/signals.ts";
import { renderCommand } from "./command_text.ts";
import { type CommandValue, commandValue } from "./command_value.ts";
import { schema } from "./schema.ts";
import { MAX_COMMAND_BYTES, shellArguments } from "./shell_state.ts";
import { type CallContext, defineTool, type Infer, text, type Tool } from "./tool.ts";
import { ToolError } from "./tool_error.ts";
import { truncateOutput } from "./truncate.ts";

/** The time limit of a command that names none, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** The longest time limit, in milliseconds; a call past it is shortened and told so. */
export const MAX_TIMEOUT_MS = 600_000;

const parameters = z.strictObject({
  command: z.string()
    .refine((command) => !command.includes("\0"), "a NUL character cannot be in a command")
    .refine(
      (command) => new TextEncoder().encode(command).length <= MAX_COMMAND_BYTES,
      `longer than ${MAX_COMMAND_BYTES} bytes: write the text to a file first, then use the file`,
    ),
  timeout_ms: z.number().positive().optional().describe(
    `Default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}.`,
  ),
  on_timeout: z.enum(["background", "kill"]).optional().describe("Default background: a job."),
  background: z.boolean().optional().describe("Start as a job, answer at once."),
  description: z.string().optional().describe("For the person: what it does, in a few words."),
});

export interface BashOptions {
  /** Replaces {@linkcode DEFAULT_TIMEOUT_MS}, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

type BashArguments = Infer<typeof parameters>;
type BashNeeds = { readonly run: readonly ["bash"]; readonly uses: readonly ["jobs"] };

/** The tool `bash`: each call is a fresh shell that takes up where the one before has ended. */
export function bashTool(options: BashOptions = {}) {
  return defineTool({
    name: "bash",
    description: DESCRIPTION,
    parameters: schema(parameters),
    needs: { run: ["bash"], uses: ["jobs"] },
    plan: ({ command }) => ({ touches: [{ kind: "command", command }] }),
    async run(args, context) {
      const { timeout_ms, background, on_timeout } = args;
      const asked = timeout_ms ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const timeoutMs = Math.min(asked, MAX_TIMEOUT_MS);
      const call = await context.commands.shell.open();
      const given = { ...context, command: args.command, timeoutMs, call };
      const value = await (background
        ? runInBackground(given)
        : on_timeout === "kill" || context.jobs.refusal !== undefined
        ? runToEnd(given)
        : runToLimit(given));
      return {
        ...value,
        timeout_ms: timeoutMs,
        ...(asked > timeoutMs && { requested_timeout_ms: asked }),
        cwd: context.commands.shell.cwd,
      };
    },
    result: schema(commandValue),
    render: (value) => [text(renderCommand(value))],
  }) satisfies Tool<BashArguments, BashNeeds, CommandValue, undefined>;
}

const DESCRIPTION = "Run a command in bash. Working folder, variables, functions, aliases and " +
  "options are kept between calls, not those of jobs. Standard input is empty and there is no " +
  "terminal; processes left in the background are ended, so start servers and the like as jobs. " +
  "Output past 50 KB is cut in the middle and kept in a file.";

interface Given extends CallContext {
  readonly commands: Commands;
  readonly jobs: Jobs;
  readonly command: string;
  readonly timeoutMs: number;
  readonly call: ShellCall;
}

/** What became of a command; the rest is the same for all. */
type Outcome = Omit<CommandValue, "timeout_ms" | "requested_timeout_ms" | "cwd">;

/** Runs a command that is ended at its limit. */
async function runToEnd(given: Given): Promise<Outcome> {
  const { commands, timeoutMs, signal } = given;
  const result = await commands.run(argumentsOf(given), {
    ...startOptions(given),
    timeoutMs,
    signal,
  });
  return await finished(result, given);
}

/** Runs a command that goes on as a job when it meets its limit: the same process. */
async function runToLimit(given: Given): Promise<Outcome> {
  const { commands, jobs, timeoutMs, signal } = given;
  let watched = true;
  const running = await commands.start(argumentsOf(given), {
    ...startOptions(given),
    onOutput: (_, part) => watched && given.progress(part),
  });
  const result = await untilLimit(running, { timeoutMs, signal }, KILL_GRACE_MS);
  if (result !== "limit") return await finished(result, given);
  const { refusal } = jobs;
  if (refusal !== undefined) {
    return {
      ...await finished(await endAtLimit(running, KILL_GRACE_MS), given),
      no_job: refusal,
    };
  }
  watched = false;
  discardStateAfter(running.ended, given);
  const job = jobs.add(given.command, running);
  return asJob(job, job.look(), true);
}

async function runInBackground(given: Given): Promise<Outcome> {
  const { commands, jobs } = given;
  assertRoom(jobs);
  const { spill } = startOptions(given);
  const running = await commands.start(argumentsOf(given), { cwd: "/", spill });
  discardStateAfter(running.ended, given);
  // Others may have been started meanwhile.
  if (jobs.refusal !== undefined) await running.stop(0);
  assertRoom(jobs);
  return asJob(jobs.add(given.command, running), NO_OUTPUT, false);
}

function assertRoom({ refusal }: Jobs): void {
  if (refusal !== undefined) throw new ToolError(`Cannot start a job: ${refusal}`);
}

function argumentsOf({ command, commands: { shell }, call }: Given): [string, ...string[]] {
  return shellArguments(command, { ...shell, call });
}

function startOptions({ callId, progress }: Given) {
  return {
    // The shell goes to its own folder: one that is gone is then an answer and no failed start.
    cwd: "/",
    spill: spillName(callId),
    onOutput: (_: unknown, part: string) => progress(part),
  };
}

/** What a job leaves of its shell is taken over by nobody. */
function discardStateAfter(ended: Promise<unknown>, { commands: { shell }, call }: Given): void {
  // Files that stay behind harm nobody: the folder goes with the session.
  ended.then(() => shell.discard(call)).catch(() => {});
}

async function finished(result: CommandResult, { commands: { shell }, call }: Given) {
  const adopted = await shell.adopt(call);
  return { ...endFacts(result), ...outputFacts(result), ...whatState(adopted) };
}

function endFacts(result: CommandResult) {
  return {
    exit_code: result.exitCode,
    signal: result.signal,
    timed_out: result.timedOut,
    interrupted: result.aborted,
    duration_ms: result.durationMs,
    background_ended: result.backgroundEnded,
    ...(result.notes && { notes: [...result.notes] }),
  };
}

function outputFacts({ stdout, stderr, spill }: Look) {
  return {
    ...truncateOutput(stdout, stderr),
    bytes: { stdout: stdout.bytes, stderr: stderr.bytes },
    ...(spill && { spill }),
  };
}

function asJob(job: Job, look: Look, timedOut: boolean): Outcome {
  return {
    ...{ exit_code: null, signal: null, timed_out: timedOut, interrupted: false },
    duration_ms: job.durationMs,
    background_ended: 0,
    ...outputFacts(look),
    ...{ job_id: job.id, running: true, state: "absent", folder_gone: false },
  };
}

const SILENCE = { head: "", tail: "", bytes: 0, omitted: 0 };
const NO_OUTPUT: Look = { stdout: SILENCE, stderr: SILENCE };

function whatState(adopted: Adopted): Pick<CommandValue, "state" | "folder_gone"> {
  return {
    state: adopted.kind,
    folder_gone: adopted.kind === "absent" ? false : adopted.folderGone,
  };
}

/** Ids come from the model's server: only harmless characters become part of a file's name. */
function spillName(callId: string): string {
  return `bash-${callId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64)}.txt`;
}
