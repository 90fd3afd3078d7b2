import type { Environment } from "./environment.ts";

/**
 * Runs a line of sh that a person chose, with `args` behind it, in the foreground of this terminal,
 * and resolves once it has ended to whether it succeeded. Nobody else may read the terminal meanwhile.
 * @throws {Deno.errors.NotCapable} where this process may not start sh.
 */
export async function runInForeground(
  line: string,
  args: readonly string[],
  environment: Environment,
): Promise<boolean> {
  const child = new Deno.Command("sh", {
    args: ["-c", `${line} "$@"`, "sh", ...args],
    clearEnv: true,
    env: environment,
    // Only a process of the terminal's foreground group may read its keys.
    detached: false,
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  return (await child.status).success;
}
