import { basename, join, relative, resolve } from "node:path";
import type { ArchiveFile } from "./archive.ts";
import { type Processes, ROOT, type Unbundled } from "./contents.ts";
import { namedByContent } from "./part_names.ts";
import { moduleInfo, runDeno } from "./run_deno.ts";
import { PARTS_MODULE } from "../../agent/program_parts.ts";

/**
 * Not minified, which would save 2 ms of a start: Deno 2.9 then puts a value that is used once where
 * it is used, also one that `using` declares, and nothing disposes of it any more.
 */
const FLAGS = ["bundle", "--quiet", "--frozen"];

/** The entry's twin, which the head of the portable form starts: see withPartsApart(). */
export const START_MODULE = "start.js";

/** The file name that the bundle of `entry` has in the folder `program` of bundleProgram(). */
function bundleName(entry: string): string {
  return basename(entry).replace(/\.[cm]?[jt]s$/, ".js");
}

/**
 * Bundles `entry` with everything it imports into files under `program`, but for `processes`, modules
 * by the names of their own bundles there; the `unbundled` packages go beside it under `node_modules`.
 * @throws {Error} with Deno's own words when the bundle fails
 */
export async function bundleProgram(
  entry: string,
  unbundled: Unbundled,
  processes: Processes = {},
): Promise<ArchiveFile[]> {
  const folder = await Deno.makeTempDir({ prefix: "cordon-bundle-" });
  try {
    const external = [...Object.keys(unbundled), ...Object.values(processes)]
      .flatMap((name) => ["--external", name]);
    // Split, so that what is imported lazily is also loaded lazily.
    const wanted = ["--code-splitting", ...external, "--outdir", folder];
    await runDeno([...FLAGS, ...wanted, resolve(entry)]);
    const name = bundleName(entry);
    const bundled = await finished(await filesIn(folder, ""));
    const files = namedByContent(
      bundled.map((file) => changed(file, (text) => withProcesses(text, processes))),
    );
    if (!files.some((file) => file.name === name)) {
      throw new Error(`Cannot bundle "${entry}": deno bundle wrote no ${name}`);
    }
    const program = withPartsApart(files, name)
      .map((file) => ({ ...file, name: `program/${file.name}` }));
    const packages = await Promise.all(
      Object.entries(unbundled).map((pair) => packageFiles(...pair)),
    );
    return [...program, ...packages.flat()];
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
    await runDeno([...FLAGS, "--output", path, resolve(entry)]);
    const [file] = await finished([await fileAt(path, `program/${name}`)]);
    if (!file) throw new Error(`Cannot bundle "${entry}": nothing is left of it`);
    return file;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The files of a package as it lies in Deno's cache, under the name by which it is imported. */
async function packageFiles(name: string, without: readonly string[]): Promise<ArchiveFile[]> {
  const specifier = await pinnedSpecifier(name);
  const found = Object.values((await moduleInfo(specifier)).npmPackages).find((it) =>
    `npm:${it.name}@${it.version}` === specifier
  );
  if (!found) throw new Error(`Cannot find package "${specifier}": Deno's cache lacks it`);
  if (found.dependencies.length > 0) {
    throw new Error(`Cannot leave "${name}" out of the bundle: it has dependencies of its own`);
  }
  const files = await filesIn(found.localPath, `node_modules/${name}/`);
  return files.filter((file) =>
    !without.some((folder) => file.name.startsWith(`node_modules/${name}/${folder}/`))
  );
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
  const { denoDir } = JSON.parse(await runDeno(["info", "--json"])) as { denoDir: string };
  return files.map((file) => {
    const text = new TextDecoder().decode(file.content)
      .replaceAll(`${relative(ROOT, denoDir)}/`, "")
      .replace(EAGER_REQUIRE, () => LAZY_REQUIRE);
    return { ...file, content: new TextEncoder().encode(text) };
  });
}

/**
 * What a failed command line is told by: it is read at start, so that a failure is also told where
 * no file can be read any more.
 */
const TELLS_FAILURES = ["failure", "report_failure"];

/** An import() of a file beside the one that holds it. */
const LAZY_IMPORT = /\bimport\("\.\/([^"/]+\.js)"\)/g;

/**
 * The files, where each names what it imports lazily in a way that Deno does not foresee. Else Deno
 * reads everything that any command may come to load before the first line runs: 20 ms of
 * `--version`, 25 ms of an answer. It can be read so only with the right to read all of it, so there
 * are two entries more. START_MODULE is for the start with that right; before a run gives it back, it
 * loads PARTS_MODULE, by which Deno reads all the rest. `entry` foresees that from the first, and so
 * runs under any rights.
 */
function withPartsApart(files: readonly ArchiveFile[], entry: string): ArchiveFile[] {
  const names = new Set(files.map(({ name }) => name));
  const parts = new Set<string>();
  const apart = (text: string) =>
    text.replaceAll(LAZY_IMPORT, (literal, name: string) => {
      if (!names.has(name)) return literal;
      parts.add(name);
      const module = name.replace(/-\w+\.js$/, "");
      return TELLS_FAILURES.includes(module) ? literal : `import("./".concat("${name}"))`;
    });
  const program = files.map((file) => changed(file, apart));
  const start = program.filter(({ name }) => name === entry)
    .map((file) => ({ ...file, name: START_MODULE }));
  return [
    ...program.map((file) =>
      file.name === entry ? changed(file, (text) => text + foreseeing([PARTS_MODULE])) : file
    ),
    ...start,
    { name: PARTS_MODULE, content: new TextEncoder().encode(foreseeing([...parts].sort())) },
  ];
}

/** The text, where an import() of such a module, which the bundler leaves as it is, loads its bundle. */
function withProcesses(text: string, processes: Processes): string {
  return Object.entries(processes).reduce((text, [name, path]) => {
    const module = RegExp.escape(relative(ROOT, path));
    return text.replace(
      new RegExp(`\\bimport\\("[^"]*/${module}"\\)`, "g"),
      () => `import("./".concat("${name}"))`,
    );
  }, text);
}

/** Deno reads what an import() names at once, also one that never runs. */
function foreseeing(names: readonly string[]): string {
  const imports = names.map((name) => `  import("./${name}"),\n`);
  return `export const foreseen = () => [\n${imports.join("")}];\n`;
}

function changed(file: ArchiveFile, change: (text: string) => string): ArchiveFile {
  const text = change(new TextDecoder().decode(file.content));
  return { ...file, content: new TextEncoder().encode(text) };
}
