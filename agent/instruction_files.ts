import { join } from "node:path";
import type { Commands } from "../sandbox/commands/commands.ts";
import { isInside } from "../sandbox/rights/grants.ts";
import type { InstructionFiles } from "./instructions.ts";
import { INSTRUCTION_NAMES, MAX_INSTRUCTION_BYTES } from "./instructions.ts";

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

/** How long a look into the workspace may take, in milliseconds. */
const LOOK_LIMIT_MS = 10_000;

/** Arguments: a separator, bytes, and names. Prints each regular file after a line of its own. */
const PRINT_FILES = `
key=$1 bytes=$2; shift 2
for name; do
  [ -e "$name" ] || continue
  printf '\n%s %s\n' "$key" "$name"
  [ -f "$name" ] && head -c "$bytes" -- "$name"
done
exit 0`;

/**
 * Looks through the kernel view, for a process that may not look itself: one command prints all
 * that can count in the workspace, which is all that a view shows.
 */
export function viewedInstructionFiles(commands: Commands, workspace: string): InstructionFiles {
  let looking: Promise<ReadonlyMap<string, string>> | undefined;
  const look = () => looking ??= printFiles(commands, workspace);
  return {
    exists: async (path) => (await look()).has(path),
    readText: async (path) => (await look()).get(path),
  };
}

async function printFiles(
  commands: Commands,
  workspace: string,
): Promise<ReadonlyMap<string, string>> {
  const key = crypto.randomUUID();
  const { stdout } = await commands.run(
    ["sh", "-c", PRINT_FILES, "sh", key, String(START_BYTES), ".git", ...INSTRUCTION_NAMES],
    { cwd: workspace, timeoutMs: LOOK_LIMIT_MS },
  );
  const parts = `${stdout.head}${stdout.tail}`.split(`\n${key} `).slice(1);
  return new Map(parts.map((part) => {
    const end = part.indexOf("\n");
    return [join(workspace, part.slice(0, end)), part.slice(end + 1)];
  }));
}

/** A little more than can count, so that a cut is noticed. */
const START_BYTES = MAX_INSTRUCTION_BYTES + 4;

/** The beginning of a file, as much as can count and a little more, so that a cut is noticed. */
async function readStart(path: string): Promise<string> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(START_BYTES);
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
