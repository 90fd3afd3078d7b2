import type { RunRipgrep } from "../../sandbox/files/ripgrep.ts";

/** Runs the real ripgrep, or undefined where this machine has none. */
export async function findRipgrep(): Promise<RunRipgrep | undefined> {
  try {
    await new Deno.Command("rg", { args: ["--version"], stdout: "null" }).spawn().status;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  return async (args, onOutput) => {
    const child = new Deno.Command("rg", {
      args: [...args],
      env: { PATH: Deno.env.get("PATH") ?? "" },
      clearEnv: true,
      detached: true,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) onOutput(text);
    const { code, signal } = await child.status;
    return { exitCode: signal === null ? code : null };
  };
}
