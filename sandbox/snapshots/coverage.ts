import { isForbidden, isMissing } from "../files/system_errors.ts";

/** Larger files are left out, in bytes. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** The same for files that ignore rules hide: build results, data, caches. */
export const MAX_IGNORED_FILE_BYTES = 1024 * 1024;

/** Ignored folders with more entries than this, all levels counted, are left out. */
export const MAX_IGNORED_ENTRIES = 200;

/** A repository's own folder or file: git looks after it, and a snapshot never touches it. */
export function isGitName(name: string): boolean {
  return name.toLowerCase() === ".git";
}

/** Folders that one command makes again, whether ignore rules name them or not. */
const REGENERABLE: ReadonlySet<string> = new Set(["node_modules", "__pycache__", ".venv"]);

/** Marks a folder as a cache (bford.info/cachedir): cargo, pytest, mypy, ruff and uv write it. */
export const CACHE_TAG = "CACHEDIR.TAG";

/** What such a file begins with. */
const CACHE_SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55";

/** Whether a folder of this name is made again by one command. */
export function isRegenerable(name: string): boolean {
  return REGENERABLE.has(name);
}

/** Whether a folder's tag says that it is a cache. */
export function isTaggedCache(folder: string): boolean {
  try {
    const tag = `${folder}/${CACHE_TAG}`;
    if (!Deno.lstatSync(tag).isFile) return false;
    using file = Deno.openSync(tag);
    const bytes = new Uint8Array(CACHE_SIGNATURE.length);
    file.readSync(bytes);
    return new TextDecoder().decode(bytes) === CACHE_SIGNATURE;
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return false;
    throw error;
  }
}

/** Whether a folder holds at most so many entries, all levels counted. */
export function holdsAtMost(folder: string, limit: number): boolean {
  let left = limit;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const { name, isDirectory } of entriesOf(next)) {
      if (--left < 0) return false;
      if (isDirectory && !REGENERABLE.has(name) && !isGitName(name)) {
        folders.push(`${next}/${name}`);
      }
    }
  }
  return true;
}

function entriesOf(folder: string): Iterable<Deno.DirEntry> {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return [];
    throw error;
  }
}
