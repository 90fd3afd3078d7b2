/**
 * Whether `/name` is a folder or file of the machine, as in "/tmp is full": then a line that begins
 * with it is a prompt. What may not be looked at is none.
 */
export async function isPathName(name: string): Promise<boolean> {
  try {
    await Deno.lstat(`/${name}`);
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Whatever the system's reason, nothing is known of such a file.
    return false;
  }
}
