import { z } from "zod";
import type { CommandResult } from "../sandbox/commands.ts";
import type { Adopted } from "../sandbox/shell.ts";
import { renderCommand } from "./command_text.ts";
import { type CommandValue, commandValue } from "./command_value.ts";
import { schema } from "./schema.ts";
import { MAX_COMMAND_BYTES, shellArguments } from "./shell_state.ts";
import { defineTool, type Infer, text, type Tool } from "./tool.ts";
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
  description: z.string().optional().describe("For the person: what it does, in a few words."),
});

export interface BashOptions {
  /** Replaces {@linkcode DEFAULT_TIMEOUT_MS}, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

type BashArguments = Infer<typeof parameters>;

/** The tool `bash`: each call is a fresh shell that takes up where the one before has ended. */
export function bashTool(options: BashOptions = {}) {
  return defineTool({
    name: "bash",
    description: DESCRIPTION,
    parameters: schema(parameters),
    needs: { run: ["bash"] },
    plan: ({ command }) => ({ touches: [{ kind: "command", command }] }),
    async run({ command, timeout_ms }, { commands, signal, callId, progress }) {
      const asked = timeout_ms ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const timeoutMs = Math.min(asked, MAX_TIMEOUT_MS);
      const { shell } = commands;
      const call = await shell.open();
      const result = await commands.run(shellArguments(command, { ...shell, call }), {
        // The shell goes to its own folder: one that is gone is then an answer and no failed start.
        cwd: "/",
        timeoutMs,
        signal,
        spill: spillName(callId),
        onOutput: (_, part) => progress(part),
      });
      const adopted = await shell.adopt(call);
      return {
        ...facts(result),
        ...whatState(adopted),
        timeout_ms: timeoutMs,
        ...(asked > timeoutMs && { requested_timeout_ms: asked }),
        cwd: shell.cwd,
      };
    },
    result: schema(commandValue),
    render: (value) => [text(renderCommand(value))],
  }) satisfies Tool<BashArguments, { readonly run: readonly ["bash"] }, CommandValue, undefined>;
}

const DESCRIPTION = "Run a command in bash. Working folder, variables, functions, aliases and " +
  "options are kept between calls. Standard input is empty and there is no terminal; processes " +
  "left in the background are ended. Output past 50 KB is cut in the middle and kept in a file.";

type Facts = Omit<
  CommandValue,
  "timeout_ms" | "requested_timeout_ms" | "cwd" | "state" | "folder_gone"
>;

function facts(result: CommandResult): Facts {
  return {
    ...truncateOutput(result.stdout, result.stderr),
    exit_code: result.exitCode,
    signal: result.signal,
    timed_out: result.timedOut,
    interrupted: result.aborted,
    duration_ms: result.durationMs,
    bytes: { stdout: result.stdout.bytes, stderr: result.stderr.bytes },
    ...(result.spill && { spill: result.spill }),
    background_ended: result.backgroundEnded,
  };
}

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
