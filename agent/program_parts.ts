import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type OwnProgram, ownProgram } from "./children/program.ts";

/** The module beside the bundle that names every part of it in a way that Deno foresees. */
export const PARTS_MODULE = "parts.js";

/**
 * Has Deno read all that the program may load later, where that is not done at start: in a bundle.
 * Call it before the right to read is given back; afterwards Deno loads only what it has read.
 */
export async function readParts(program: OwnProgram = ownProgram()): Promise<void> {
  if (program.form !== "bundle") return;
  await import(pathToFileURL(join(dirname(program.main), PARTS_MODULE)).href);
}
