import { createHash } from "node:crypto";
import { join } from "node:path";
import { compile } from "../../scripts/compile.ts";
import { ENTRY, ROOT } from "../../scripts/compile/contents.ts";

/** What goes into the binary: folders with a slash, and files. */
const SOURCES = [
  "main.ts",
  "deno.json",
  "deno.lock",
  "agent/",
  "edit/",
  "sandbox/",
  "tools/",
  "scripts/compile.ts",
  "scripts/compile/",
];

/** Binaries of earlier sources that stay: another run at the same time may use one. */
const KEPT = 3;

/**
 * The path of the program's binary, in the portable form, for end-to-end tests. It is built when the
 * sources have changed since the last time, once for all test files that ask at the same time. Give
 * what starts it a HOME (or XDG_CACHE_HOME) of the test's own; the first start unpacks there.
 */
export async function programBinary(entry: string = ENTRY): Promise<string> {
  const folder = join(ROOT, "dist/tests");
  const path = join(folder, `cordon-${sourceHash(entry)}`);
  await Deno.mkdir(folder, { recursive: true });
  using lock = await Deno.open(join(folder, ".lock"), { create: true, write: true });
  await lock.lock(true);
  if (exists(path)) return path;
  await compile(["--form", "portable", "--entry", entry, "--output", path]);
  await sweep(folder);
  return path;
}

function sourceHash(entry: string): string {
  const hash = createHash("sha256").update(Deno.version.deno).update(entry);
  for (const path of [entry, ...SOURCES.map((source) => join(ROOT, source)).flatMap(filesAt)]) {
    hash.update(path).update("\0").update(Deno.readFileSync(path)).update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

function filesAt(path: string): string[] {
  if (!path.endsWith("/")) return exists(path) ? [path] : [];
  return [...Deno.readDirSync(path)]
    .map(({ name, isDirectory }) => path + name + (isDirectory ? "/" : ""))
    .sort()
    .flatMap(filesAt);
}

async function sweep(folder: string): Promise<void> {
  const binaries = [...Deno.readDirSync(folder)]
    .filter(({ name }) => name.startsWith("cordon-"))
    .map(({ name }) => join(folder, name))
    .sort((a, b) => modified(b) - modified(a));
  for (const path of binaries.slice(KEPT)) await Deno.remove(path);
}

function modified(path: string): number {
  return Deno.statSync(path).mtime?.getTime() ?? 0;
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
