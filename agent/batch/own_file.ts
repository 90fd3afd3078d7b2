import { lookAt } from "../../sandbox/files/look_at.ts";
import { BatchError } from "./error.ts";

/**
 * Makes sure that a place is free for a file of the batch, or holds one. Through a link the file of
 * somebody else would be cut and written on, and a pipe is read for ever.
 * @throws {BatchError} for a link, a folder, a pipe or a device.
 */
export function checkOwnFile(path: string): void {
  const found = lookAt(path);
  if (found === undefined || found.isFile) return;
  const what = found.isSymlink ? "it is a link" : "it is no regular file";
  throw new BatchError(`Cannot use "${path}": ${what}, and results are kept there: take it away`);
}
