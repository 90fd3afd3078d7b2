import { basename, join, resolve } from "node:path";
import type { ArchiveFile } from "./archive.ts";
import { ROOT } from "./contents.ts";

/**
 * Minified, since the plain text holds the build machine's paths and starts 3 ms later; names are
 * kept for the stack traces in logs. Split, so that what is imported lazily is also loaded lazily.
 */
const FLAGS = ["bundle", "--quiet", "--frozen", "--minify", "--keep-names", "--code-splitting"];

/** The file name that the bundle of `entry` has in the folder `program` of bundleProgram(). */
export function bundleName(entry: string): string {
  return basename(entry).replace(/\.[cm]?[jt]s$/, ".js");
}

/**
 * Bundles `entry` with everything it imports into files under `program`; the `unbundled` packages go
 * beside it under `node_modules`.
 * @throws {Error} with Deno's own words when the bundle fails
 */
export async function bundleProgram(
  entry: string,
  unbundled: readonly string[],
): Promise<ArchiveFile[]> {
  const folder = await Deno.makeTempDir({ prefix: "cordon-bundle-" });
  try {
    const external = unbundled.flatMap((name) => ["--external", name]);
    await deno([...FLAGS, ...external, "--outdir", folder, resolve(entry)]);
    const files = await filesIn(folder, "program/");
    if (!files.some(({ name }) => name === `program/${bundleName(entry)}`)) {
      throw new Error(`Cannot bundle "${entry}": deno bundle wrote no ${bundleName(entry)}`);
    }
    const packages = await Promise.all(unbundled.map(packageFiles));
    return [...files, ...packages.flat()];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The files of a package as it lies in Deno's cache, under the name by which it is imported. */
async function packageFiles(name: string): Promise<ArchiveFile[]> {
  const specifier = await pinnedSpecifier(name);
  const { npmPackages } = JSON.parse(await deno(["info", "--json", specifier])) as PackageInfo;
  // Deno lists what the whole lock file holds.
  const found = Object.values(npmPackages).find((it) =>
    `npm:${it.name}@${it.version}` === specifier
  );
  if (!found) throw new Error(`Cannot find package "${specifier}": Deno's cache lacks it`);
  if (found.dependencies.length > 0) {
    throw new Error(`Cannot leave "${name}" out of the bundle: it has dependencies of its own`);
  }
  return filesIn(found.localPath, `node_modules/${name}/`);
}

/** What `deno info --json` prints of npm packages (checked with Deno 2.9). */
interface PackageInfo {
  readonly npmPackages: Record<string, {
    readonly name: string;
    readonly version: string;
    readonly localPath: string;
    readonly dependencies: readonly unknown[];
  }>;
}

async function pinnedSpecifier(name: string): Promise<string> {
  const { imports } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json"))) as {
    imports: Record<string, string>;
  };
  const specifier = imports[name];
  if (specifier === undefined) {
    throw new Error(`Cannot leave "${name}" out of the bundle: deno.json does not import it`);
  }
  return specifier;
}

/** Sorted, so that builds repeat. */
async function filesIn(folder: string, prefix: string): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    const path = join(folder, name);
    if (isDirectory) files.push(...await filesIn(path, `${prefix}${name}/`));
    else files.push({ name: prefix + name, content: await Deno.readFile(path) });
  }
  return files;
}

async function deno(args: readonly string[]): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT, // where the configuration and its lock file are
    env: { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { success, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`Cannot run deno ${args.join(" ")}: ${decoder.decode(stderr).trim()}`);
}
