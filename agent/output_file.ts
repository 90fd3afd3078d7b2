import { basename, dirname, join } from "node:path";
import { UsageError } from "./command_line/parse.ts";
import { reasonOf } from "./session/error.ts";

/** What to do with a file that is there already. */
export type WhenThere = "replace" | "refuse";

/**
 * Refuses early what {@linkcode writeOutputFile} could not write.
 * @throws {UsageError}
 */
export function checkOutputFile(path: string, whenThere: WhenThere = "replace"): void {
  if (OF_SYSTEM.test(path)) {
    const why = "Deno lets a program with less than all rights write to no device but /dev/null";
    throw cannot(path, `${why}; "-" is standard output`);
  }
  const parent = infoOf(dirname(path));
  if (parent === undefined) throw cannot(path, "there is no such folder");
  if (parent !== "hidden" && !parent.isDirectory) throw cannot(path, "its folder is none");
  const there = infoOf(path);
  if (there === undefined || there === "hidden") return;
  if (there.isDirectory) throw cannot(path, "it is a folder");
  if (whenThere === "refuse") throw cannot(path, "it is there already, --force replaces it");
}

/**
 * Writes a file that a person named: whole, or not at all. Links are followed, and what is no regular
 * file (a pipe, a device) is written to as it is, as is what Deno's flags let us write but not read.
 * @throws {UsageError} where it cannot be.
 */
export async function writeOutputFile(
  path: string,
  text: string,
  whenThere: WhenThere = "replace",
): Promise<void> {
  checkOutputFile(path, whenThere);
  try {
    const there = infoOf(path);
    if (whenThere === "refuse") await Deno.writeTextFile(path, text, { createNew: true });
    else if (there === undefined) await replace(path, text, undefined);
    else if (there === "hidden" || !there.isFile) await Deno.writeTextFile(path, text);
    else await replace(await Deno.realPath(path), text, there.mode);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw cannot(path, "it is there already, --force replaces it");
    }
    throw cannot(path, reasonOf(error));
  }
}

async function replace(path: string, text: string, mode: number | null | undefined): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}`);
  try {
    await Deno.writeTextFile(draft, text, { createNew: true });
    if (mode != null && Deno.build.os !== "windows") await Deno.chmod(draft, mode & 0o7777);
    await Deno.rename(draft, path);
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    throw error;
  }
}

/** What of the system Deno keeps from us, but for /dev/null and a pipe that a shell hands us. */
const OF_SYSTEM = /^\/(?:dev|proc|sys)\/(?!null$|fd\/(?:[3-9]$|\d{2}))/;

/** Undefined: not there. `hidden`: Deno's flags do not let us look. */
function infoOf(path: string): Deno.FileInfo | "hidden" | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.NotCapable) return "hidden";
    throw cannot(path, reasonOf(error));
  }
}

function cannot(path: string, why: string): UsageError {
  return new UsageError(`Cannot write "${path}": ${why}`);
}
