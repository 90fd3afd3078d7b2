import { isAt } from "../files/checked_open.ts";
import { isForbidden, isMissing } from "../files/system_errors.ts";

/**
 * The bytes of a regular file at a path that has no links in it; undefined where it is none, or
 * cannot be read. A link that is put in its way at the wrong moment is seen: what lies elsewhere
 * must not come into a snapshot, from where an undo would bring it into the workspace.
 */
export function readOwn(absolute: string): Uint8Array | undefined {
  try {
    using file = Deno.openSync(absolute);
    const opened = file.statSync();
    return isAt(absolute, opened) ? readAll(file, opened.size) : undefined;
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

/** A file that grows meanwhile is read up to the size that it had. */
function readAll(file: Deno.FsFile, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const count = file.readSync(bytes.subarray(length));
    if (count === null) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
