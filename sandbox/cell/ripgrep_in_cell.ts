import { CommandError } from "../commands/commands.ts";
import type { RunRipgrep } from "../files/ripgrep.ts";

/** Runs the `rg` that the view shows, as a child of the cell: it sees no more than the cell does. */
export const runRipgrep: RunRipgrep = async (args, onOutput) => {
  const child = startRipgrep(args);
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) onOutput(text);
  const { code, signal } = await child.status;
  return { exitCode: signal === null ? code : null };
};

function startRipgrep(args: readonly string[]): Deno.ChildProcess {
  try {
    return new Deno.Command("rg", {
      args: [...args],
      // It needs no variable, and none of them shall change what it does.
      clearEnv: true,
      detached: true,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
  } catch (cause) {
    throw new CommandError('Cannot start "rg"', { cause });
  }
}
