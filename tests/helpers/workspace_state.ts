import { join } from "node:path";

/** Every entry below a folder with its kind, mode and content; `.git` apart. */
export async function workspaceState(folder: string): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  async function visit(below: string): Promise<void> {
    for await (const { name } of Deno.readDir(join(folder, below))) {
      if (name === ".git") continue;
      const path = join(below, name);
      const info = await Deno.lstat(join(folder, path));
      const mode = ((info.mode ?? 0) & 0o7777).toString(8);
      if (info.isSymlink) found.push([path, `link ${await Deno.readLink(join(folder, path))}`]);
      else if (info.isDirectory) {
        found.push([path, `folder ${mode}`]);
        await visit(path);
      } else {found.push([
          path,
          `file ${mode} ${(await readAsOwner(join(folder, path), info)).toBase64()}`,
        ]);}
    }
  }
  await visit("");
  return Object.fromEntries(found.sort(([a], [b]) => a < b ? -1 : 1));
}

/** A file that its mode hides from its owner is opened for the moment. */
async function readAsOwner(path: string, { mode }: Deno.FileInfo): Promise<Uint8Array> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    await Deno.chmod(path, 0o600);
    const bytes = await Deno.readFile(path);
    await Deno.chmod(path, mode ?? 0);
    return bytes;
  }
}
