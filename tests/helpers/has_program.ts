/** Whether a program can be started by its name, and says its version when asked by `flag`. */
export async function hasProgram(name: string, flag = "--version"): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(name, {
      args: [flag],
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
