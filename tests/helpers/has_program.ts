/** Whether a program can be started by its name, and says its version. */
export async function hasProgram(name: string): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(name, {
      args: ["--version"],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
