import { dirname } from "node:path";
import type { Answer, Refusal } from "./answer.ts";
import { factsOf } from "./content.ts";
import type { FileFacts } from "./files.ts";
import { outside, type Place, refuse } from "./guard.ts";
import { realPath } from "./real_path.ts";
import { errorCode, unlessMissing } from "./system_errors.ts";
import { createTemporary } from "./temporary_file.ts";

/**
 * Makes a new file and its missing parent folders. It appears whole or not at all; where it throws,
 * the folders that it made are gone again.
 */
export async function createContent(
  place: Place,
  bytes: Uint8Array,
  mode?: number,
): Promise<Answer<{ facts: FileFacts }>> {
  const taken = await unlessMissing(Deno.lstat(place.real));
  if (taken) return alreadyThere(place, taken.isDirectory ? "as a folder" : "and was left alone");
  const folder = dirname(place.real);
  const made = await makeFolders(folder);
  try {
    const created = await createIn(folder, place, bytes, mode);
    if (!created.ok) await removeFolders(made);
    return created;
  } catch (error) {
    await removeFolders(made);
    throw error;
  }
}

async function createIn(
  folder: string,
  place: Place,
  bytes: Uint8Array,
  mode: number | undefined,
): Promise<Answer<{ facts: FileFacts }>> {
  await using temporary = await createTemporary(
    folder,
    bytes,
    mode === undefined ? {} : { mode },
  );
  if (temporary === undefined) return outside(place.given, await realPath(folder));
  // Asked before it has its name: afterwards somebody could have taken it away again.
  const facts = factsOf(place, await Deno.lstat(temporary.path));
  return await giveName(temporary.path, place.real) ? { ok: true, facts } : alreadyThere(place);
}

/** Whether the file now has this name too; false where a file has it already. */
async function giveName(temporary: string, path: string): Promise<boolean> {
  try {
    // A link and not a rename: it never takes the place of a file that came meanwhile.
    await Deno.link(temporary, path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    if (!lacksHardLinks(error)) throw error;
    if (await unlessMissing(Deno.lstat(path))) return false;
    await Deno.rename(temporary, path);
    return true;
  }
}

function alreadyThere({ given }: Place, how = "and was left alone"): Refusal<"exists"> {
  return refuse(given, "exists", `is there already ${how}`);
}

/** FAT, some network and overlay file systems know no hard links. */
function lacksHardLinks(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP" || code === "EXDEV";
}

/** Makes a folder and its missing parents; resolves to those that were missing, outermost first. */
async function makeFolders(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; !await unlessMissing(Deno.lstat(at)); at = dirname(at)) missing.unshift(at);
  if (missing.length > 0) await Deno.mkdir(folder, { recursive: true });
  return missing;
}

async function removeFolders(made: readonly string[]): Promise<void> {
  for (const folder of made.toReversed()) {
    try {
      await Deno.remove(folder);
    } catch {
      // Somebody has put something there: then it is no longer ours to remove.
      return;
    }
  }
}
