import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { Answer } from "./answer.ts";
import type { Place, Right } from "./guard.ts";
import { outside, refuse } from "./guard.ts";
import { realPath } from "./real_path.ts";
import { nodeFs } from "./node_fs.ts";
import { isMissing, unlessMissing } from "./system_errors.ts";

/** How often a file that is replaced while it is opened is opened anew. */
const ATTEMPTS = 3;

export type OpenReason = "denied" | "not_a_file";

/** An open file that is the one that was checked; closed when its block ends. */
export interface CheckedFile extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/**
 * Opens a regular file and makes sure that it is the one at the checked place: no open without
 * following links exists here, so device and inode of what was opened are compared with what lies
 * at the real path afterwards, whose links are resolved once more. What was swapped is refused.
 */
export async function openChecked(
  place: Place,
  right: Right,
): Promise<Answer<{ file: CheckedFile }, OpenReason>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await unlessMissing(Deno.lstat(place.real));
    if (found?.isSymlink) break;
    if (!found?.isFile) return refuse(place.given, "not_a_file", await describeOther(place, found));
    const file = await unlessMissing(openFile(place.real, right));
    if (file === undefined) continue;
    if (file.stats.ino === found.ino && isAt(place.real, file.stats)) return { ok: true, file };
    await file.handle.close();
  }
  const real = await realPath(place.real);
  if (real !== place.real) return outside(place.given, real);
  return refuse(place.given, "denied", "is replaced again and again while it is opened: try again");
}

/** How often a path and what lies there are compared, see {@linkcode isAt}. */
const ROUNDS = 4;

/**
 * Whether the path is real, without links, and leads to this very file. No call of the system
 * answers both at once, and who swaps a folder for a link between two calls could deceive each; so
 * they are made in turn, several times and synchronously, a few microseconds apart: to pass, a
 * swap would have to hit every gap.
 */
export function isAt(path: string, file: { dev: number; ino: number | null }): boolean {
  try {
    for (let round = 0; round < ROUNDS; round++) {
      if (Deno.realPathSync(path) !== path) return false;
      const { isFile, dev, ino } = Deno.lstatSync(path);
      if (!isFile || dev !== file.dev || ino !== file.ino) return false;
    }
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function openFile(path: string, right: Right): Promise<CheckedFile> {
  const { constants, promises } = nodeFs();
  const access = right === "write" ? constants.O_RDWR : constants.O_RDONLY;
  // Non-blocking: a FIFO that took the file's place since would hang the open for good.
  const handle = await promises.open(path, access | constants.O_NONBLOCK);
  const close = () => handle.close();
  try {
    return { handle, stats: await handle.stat(), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function describeOther(place: Place, found: Deno.FileInfo | undefined): Promise<string> {
  if (found) return `is ${kindOf(found)}, not a file`;
  const own = await unlessMissing(Deno.lstat(place.absolute));
  return own?.isSymlink ? `is a link to ${place.real}, which is not there` : "is not there";
}

function kindOf(found: Deno.FileInfo): string {
  if (found.isDirectory) return "a folder";
  if (found.isFifo) return "a FIFO";
  if (found.isSocket) return "a socket";
  return "a device";
}
