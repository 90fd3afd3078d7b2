/** Whether `script` of util-linux is here, which gives a program a terminal. */
export async function hasTerminal(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
