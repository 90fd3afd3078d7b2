import { basename, dirname, join } from "node:path";
import { isAt } from "../../../sandbox/files/checked_open.ts";
import { nodeFs } from "../../../sandbox/files/node_fs.ts";
import { lookAt } from "../../../sandbox/files/look_at.ts";
import { isForbidden, isMissing } from "../../../sandbox/files/system_errors.ts";
import { isInside } from "../../../sandbox/rights/grants.ts";
import { UsageError } from "../../command_line/parse.ts";
import { reasonOf } from "../../session/error.ts";

/** A file that lines are appended to. */
export interface AppendFile extends Disposable {
  /** Whether it ended within a line when it was opened, as where a disk was full. */
  readonly isTorn: boolean;
  /**
   * Appends a text in one write, so that lines of several processes do not mix.
   * @throws {Error} where the system refuses, or takes a part of it only.
   */
  append(text: string): void;
}

/** Folders that are taken, with links resolved. */
export interface TakenFolders {
  /** Where tools and commands can write: they could say what stands in the log. */
  readonly writable: readonly string[];
  /** Where we keep sessions and more: a log would be taken for one of these. */
  readonly state: string | undefined;
}

/**
 * Opens the file of a log that a person named, to append to it; it is made where it is missing, and
 * only its owner may read it from here on. A link, what is no regular file, and whatever lies in a
 * folder that is taken are refused.
 * @throws {UsageError} where it cannot be used.
 */
export function openLogFile(path: string, taken: TakenFolders): AppendFile {
  try {
    const real = join(Deno.realPathSync(dirname(path)), basename(path));
    refuseOther(path, real, taken);
    return opened(path, real);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw cannot(path, whyNot(error));
  }
}

function refuseOther(path: string, real: string, { writable, state }: TakenFolders): void {
  const around = writable.find((folder) => isInside(real, folder));
  if (around !== undefined) {
    throw cannot(path, `tools and commands can change what lies in ${around}, name another place`);
  }
  if (state !== undefined && isInside(real, state)) {
    throw cannot(path, "sessions are kept there, name another place");
  }
  const there = lookAt(real);
  if (there?.isSymlink) throw cannot(path, "it is a link, name the file itself");
  if (there?.isDirectory) throw cannot(path, "it is a folder");
  if (there && !there.isFile) throw cannot(path, "it is no regular file");
}

const NEWLINE = 0x0a;

function opened(path: string, real: string): AppendFile {
  const fs = nodeFs();
  const { O_APPEND, O_CREAT, O_RDWR, O_NONBLOCK = 0 } = fs.constants;
  // Non-blocking: a FIFO that took the file's place since would hang the open for good.
  const file = fs.openSync(real, O_APPEND | O_CREAT | O_RDWR | O_NONBLOCK, 0o600);
  let isTorn: boolean;
  try {
    const stats = fs.fstatSync(file);
    // Deno follows links when it opens; what was opened has to be what was looked at.
    if (!isAt(real, stats)) throw cannot(path, "it was replaced meanwhile");
    if (Deno.build.os !== "windows") fs.fchmodSync(file, 0o600);
    isTorn = stats.size > 0 && byteAt(file, stats.size - 1) !== NEWLINE;
  } catch (error) {
    fs.closeSync(file);
    throw error;
  }
  return {
    isTorn,
    append(text) {
      const bytes = new TextEncoder().encode(text);
      const taken = fs.writeSync(file, bytes);
      if (taken < bytes.length) throw new Error(`only ${taken} of ${bytes.length} bytes fit`);
    },
    [Symbol.dispose]: () => fs.closeSync(file),
  };
}

function byteAt(file: number, position: number): number | undefined {
  const byte = new Uint8Array(1);
  nodeFs().readSync(file, byte, 0, 1, position);
  return byte[0];
}

function whyNot(error: unknown): string {
  if (isMissing(error)) return "there is no such folder";
  if (error instanceof Deno.errors.NotCapable) {
    return "--allow-read and --allow-write of it are not granted";
  }
  return isForbidden(error) ? "it may not be written" : reasonOf(error);
}

function cannot(path: string, why: string): UsageError {
  return new UsageError(`Cannot log to "${path}": ${why}`);
}
