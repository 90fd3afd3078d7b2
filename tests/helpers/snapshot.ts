import { join } from "node:path";

/** Every entry below a folder, with what it holds or leads to. */
export async function snapshot(folder: string): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  for await (const { name, isDirectory, isSymlink } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) {
      found.push([name, "folder"]);
      for (const [below, text] of Object.entries(await snapshot(path))) {
        found.push([join(name, below), text]);
      }
    } else if (isSymlink) found.push([name, `link to ${await Deno.readLink(path)}`]);
    else found.push([name, (await Deno.readFile(path)).toBase64()]);
  }
  return Object.fromEntries(found.sort(([a], [b]) => a < b ? -1 : 1));
}

/** The text files below a folder, by path; folders and links are left out. */
export async function textsIn(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [path, content] of Object.entries(await snapshot(folder))) {
    const isFile = content !== "folder" && !content.startsWith("link to ");
    if (isFile) found[path] = decoder.decode(Uint8Array.fromBase64(content));
  }
  return found;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
