import { CommandError } from "./commands.ts";
import type { Environment } from "./environment.ts";

/**
 * Runs a fixed script of ours in a bash of its own and resolves to what it prints; for what Deno's
 * permissions refuse where only `bash` is granted. Its standard input stays open and empty, so that
 * `read -t` can wait.
 * @throws {CommandError} where bash cannot be started.
 */
export async function runBashScript(
  script: string,
  args: readonly string[],
  environment: Environment,
): Promise<string> {
  const child = spawnBash(script, args, environment);
  const [output] = await Promise.all([new Response(child.stdout).text(), child.status]);
  await child.stdin.close().catch(ignoreBrokenPipe);
  return output;
}

function spawnBash(script: string, args: readonly string[], env: Environment): Deno.ChildProcess {
  try {
    return new Deno.Command("bash", {
      args: ["--noprofile", "--norc", "-c", script, "bash", ...args],
      cwd: "/",
      clearEnv: true,
      env: { ...env, LC_ALL: "C" },
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
  } catch (cause) {
    throw new CommandError(`Cannot start "bash": ${reason(cause)}`, { cause });
  }
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function ignoreBrokenPipe(error: unknown): void {
  // The reader has ended, which is what we waited for.
  if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
}
