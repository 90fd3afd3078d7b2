import { isInside } from "../sandbox/grants.ts";
import type { InstructionFiles } from "./instructions.ts";
import { MAX_INSTRUCTION_BYTES } from "./instructions.ts";

/** Looks for instructions on this machine; what Deno's flags refuse counts as not there. */
export const instructionFiles: InstructionFiles = {
  async exists(path) {
    return (await unlessHidden(Deno.lstat(path))) !== undefined;
  },
  async readText(path, root) {
    const real = await unlessHidden(Deno.realPath(path));
    // A link that leads out of the project would show a file that nobody meant to show.
    if (real === undefined || !isInside(real, root)) return undefined;
    const info = await unlessHidden(Deno.stat(real));
    if (!info?.isFile) return undefined;
    return await unlessHidden(readStart(real));
  },
};

/** The beginning of a file, as much as can count and a little more, so that a cut is noticed. */
async function readStart(path: string): Promise<string> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(MAX_INSTRUCTION_BYTES + 4);
  let size = 0;
  while (size < bytes.length) {
    const read = await file.read(bytes.subarray(size));
    if (read === null) break;
    size += read;
  }
  return new TextDecoder().decode(bytes.subarray(0, size));
}

async function unlessHidden<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    const hidden = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied ||
      error instanceof Deno.errors.NotADirectory ||
      error instanceof Deno.errors.FilesystemLoop;
    if (hidden) return undefined;
    throw error;
  }
}
