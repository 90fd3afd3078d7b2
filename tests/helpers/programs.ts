/** Makes links to programs of this machine in a folder, which then serves as a whole PATH. */
export async function linkPrograms(folder: string, names: readonly string[]): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const name of names) await Deno.symlink(await findProgram(name), `${folder}/${name}`);
}

/** Where a program lies on PATH. */
async function findProgram(name: string): Promise<string> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    try {
      return await Deno.realPath(`${folder}/${name}`);
    } catch (error) {
      const elsewhere = error instanceof Deno.errors.NotFound ||
        error instanceof Deno.errors.PermissionDenied;
      if (!elsewhere) throw error;
    }
  }
  throw new Error(`${name} is not on PATH`);
}
