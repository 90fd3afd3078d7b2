import { basename, join, relative, resolve } from "node:path";
import type { ArchiveFile } from "./archive.ts";
import { ROOT } from "./contents.ts";

/**
 * Not minified, which would save 2 ms of a start: Deno 2.9 then puts a value that is used once where
 * it is used, also one that `using` declares, and nothing disposes of it any more.
 */
const FLAGS = ["bundle", "--quiet", "--frozen"];

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
    // Split, so that what is imported lazily is also loaded lazily.
    const wanted = ["--code-splitting", ...external, "--outdir", folder];
    await deno([...FLAGS, ...wanted, resolve(entry)]);
    const files = withCommandsApart(
      await finished(await filesIn(folder, "program/")),
      `program/${bundleName(entry)}`,
    );
    if (!files.some(({ name }) => name === `program/${bundleName(entry)}`)) {
      throw new Error(`Cannot bundle "${entry}": deno bundle wrote no ${bundleName(entry)}`);
    }
    const packages = await Promise.all(unbundled.map(packageFiles));
    return [...files, ...packages.flat()];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Bundles `entry` with everything it imports into one file, `program/NAME`.
 * @throws {Error} with Deno's own words when the bundle fails
 */
export async function bundleProcess(name: string, entry: string): Promise<ArchiveFile> {
  const folder = await Deno.makeTempDir({ prefix: "cordon-bundle-" });
  try {
    const path = join(folder, name);
    await deno([...FLAGS, "--output", path, resolve(entry)]);
    const [file] = await finished([await fileAt(path, `program/${name}`)]);
    if (!file) throw new Error(`Cannot bundle "${entry}": nothing is left of it`);
    return file;
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
    else files.push(await fileAt(path, prefix + name));
  }
  return files;
}

async function fileAt(path: string, name: string): Promise<ArchiveFile> {
  return { name, content: await Deno.readFile(path) };
}

/** The bundler's own text of `require`, as it stands in what all parts of a bundle import. */
const EAGER_REQUIRE = `import { createRequire as __deno_internal_createRequire } from "node:module";
var __require = __deno_internal_createRequire(import.meta.url);
`;

/** The same, which loads node:module with its first call: that takes 20 ms of every start. */
const LAZY_REQUIRE = `var __require = (name) =>
  process.getBuiltinModule("node:module").createRequire(import.meta.url)(name);
`;

/**
 * The files as they are packed. A bundle names each package by its place in Deno's cache, and that
 * is this machine's.
 */
async function finished(files: readonly ArchiveFile[]): Promise<ArchiveFile[]> {
  const { denoDir } = JSON.parse(await deno(["info", "--json"])) as { denoDir: string };
  return files.map((file) => {
    const text = new TextDecoder().decode(file.content)
      .replaceAll(`${relative(ROOT, denoDir)}/`, "")
      .replace(EAGER_REQUIRE, () => LAZY_REQUIRE);
    return { ...file, content: new TextEncoder().encode(text) };
  });
}

/**
 * What a failed command line is told by: loaded when Deno's right to read may have been given back
 * already, and only what a literal import() names can be loaded without it.
 */
const TELLS_FAILURES = ["failure", "report_failure"];

/**
 * The files, where the entry names what it imports lazily in a way that Deno does not foresee. Else
 * Deno reads everything that any command may come to load before the first line runs: 20 ms of
 * `--version`, 13 ms of an answer. A command is loaded before it gives back any right; what it loads
 * itself is foreseen as ever.
 */
function withCommandsApart(files: readonly ArchiveFile[], entry: string): ArchiveFile[] {
  return files.map((file) => {
    if (file.name !== entry) return file;
    const text = new TextDecoder().decode(file.content);
    const apart = text.replaceAll(
      /\bimport\("\.\/((\w+)-\w+\.js)"\)/g,
      (literal, name: string, module: string) =>
        TELLS_FAILURES.includes(module) ? literal : `import("./".concat("${name}"))`,
    );
    return { ...file, content: new TextEncoder().encode(apart) };
  });
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
