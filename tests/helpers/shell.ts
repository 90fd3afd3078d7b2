import { join } from "node:path";
import type { CommandResult, Commands } from "../../sandbox/commands/commands.ts";
import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import { JobRegistry } from "../../sandbox/commands/jobs.ts";
import { createProcessGroupCommands } from "../../sandbox/commands/process_group.ts";
import { createShell } from "../../sandbox/commands/shell.ts";
import { ownStateFolder } from "../../sandbox/commands/shell_folder.ts";
import { bashTool } from "../../tools/bash.ts";
import type { CommandValue } from "../../tools/command_value.ts";
import { tempDir } from "./temp_dir.ts";

/** Commands and the `bash` tool in a workspace of their own. */
export interface TestShell extends AsyncDisposable {
  readonly commands: Commands;
  readonly jobs: JobRegistry;
  readonly workspace: string;
  /** Where spill files and the shell's state lie. */
  readonly session: string;
  /** Runs `bash -c script` as a plain command. */
  run(script: string, options?: RunOptions): Promise<CommandResult>;
  /** Calls the tool. */
  bash(command: string, options?: RunOptions): Promise<CommandValue>;
  /** Calls the tool; the model's text. */
  text(command: string, options?: RunOptions): Promise<string>;
}

interface RunOptions {
  readonly timeoutMs?: number;
  /** Of the tool. */
  readonly background?: boolean;
  /** Of the tool; where a limit is given the default is here to kill. */
  readonly onTimeout?: "background" | "kill";
  readonly signal?: AbortSignal;
  readonly spill?: string;
  readonly onText?: (text: string) => void;
}

/** A limit that no test is to meet, in milliseconds. */
const LONG_MS = 60_000;

export async function testShell(host: Record<string, string> = {}): Promise<TestShell> {
  const dir = await tempDir({ "workspace/": "", "session/": "" });
  const workspace = dir.join("workspace");
  const session = dir.join("session");
  const state = ownStateFolder(join(session, "shell"));
  const commands = createProcessGroupCommands({
    shell: createShell({ workspace, state }),
    environment: commandEnvironment({ PATH: Deno.env.get("PATH") ?? "", ...host }),
    spillFolder: session,
  });
  const tool = bashTool({ timeoutMs: LONG_MS });
  const jobs = new JobRegistry();

  async function bash(command: string, options: RunOptions = {}): Promise<CommandValue> {
    const args = {
      command,
      ...(options.timeoutMs !== undefined && {
        timeout_ms: options.timeoutMs,
        on_timeout: "kill" as const,
      }),
      ...(options.background !== undefined && { background: options.background }),
      ...(options.onTimeout !== undefined && { on_timeout: options.onTimeout }),
    };
    const call = {
      callId: "call_1",
      signal: options.signal ?? new AbortController().signal,
      progress: options.onText ?? (() => {}),
    };
    return await tool.run(args, { ...call, commands, jobs }, { touches: [] });
  }

  return {
    ...{ commands, jobs },
    workspace,
    session,
    bash,
    run(script, options = {}) {
      const { timeoutMs = LONG_MS, signal, spill, onText } = options;
      return commands.run(["bash", "-c", script], {
        timeoutMs,
        ...(signal && { signal }),
        ...(spill && { spill }),
        ...(onText && { onOutput: (_, text) => onText(text) }),
      });
    },
    async text(command, options) {
      const [content] = tool.render(await bash(command, options));
      return content?.type === "text" ? content.text : "";
    },
    async [Symbol.asyncDispose]() {
      await jobs[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
