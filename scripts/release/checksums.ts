/** The file of checksums of a release, and where a release may land. */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** As people look for it. */
const SUMS = "SHA256SUMS";

/** Length of a sum in hexadecimal and the two blanks that `sha256sum` prints after it. */
const NAME_FROM = 66;

/** Writes the sums of every file in `folder` (not of its folders) as `sha256sum -c` reads them. */
export async function writeSums(folder: string): Promise<void> {
  const names = (await entriesOf(folder)).filter(({ isFile }) => isFile).map(({ name }) => name);
  const lines = await Promise.all(
    names.sort().map(async (name) => `${await sumOf(join(folder, name))}  ${name}\n`),
  );
  await Deno.writeTextFile(join(folder, SUMS), lines.join(""));
}

async function sumOf(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}

/**
 * Looks whether the folder `path` may be replaced by a release: it is not there, it is empty, or an
 * earlier release made all that it holds, as its sums or `ours` name it.
 * @throws {Error} when something else would be lost
 */
export async function checkReplaceable(path: string, ours: readonly string[]): Promise<void> {
  const names = (await entriesOf(path).catch(explainFile(path))).map(({ name }) => name);
  const known = names.includes(SUMS) ? [SUMS, ...ours, ...await summedIn(path)] : [];
  const foreign = names.find((name) => !known.includes(name));
  if (foreign === undefined) return;
  throw new Error(
    `Cannot replace "${path}": it holds "${foreign}", which no release has made; name another folder by --out`,
  );
}

function explainFile(path: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Deno.errors.NotADirectory)) throw error;
    throw new Error(`Cannot replace "${path}": it is no folder`, { cause: error });
  };
}

async function summedIn(folder: string): Promise<string[]> {
  const text = await Deno.readTextFile(join(folder, SUMS));
  return text.split("\n").map((line) => line.slice(NAME_FROM));
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
