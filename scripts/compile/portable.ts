/**
 * The portable form of the binary: a POSIX shell head, and behind it Deno, the bundle and its assets
 * as one gzip-packed tar archive that the head unpacks once.
 */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { archiveEnd, type ArchiveFile, archiveMembers, concat } from "./archive.ts";
import { bundleProcess, bundleProgram, START_MODULE } from "./bundle.ts";
import { PERMISSIONS, type Processes, ROOT, type Unbundled, V8_FLAGS } from "./contents.ts";

/** What a portable binary is built from. */
export interface PortableBuild {
  readonly entry: string;
  /** Packages that lie beside the bundle, which is without them. */
  readonly unbundled: Unbundled;
  /** Modules that run as processes of their own, by their names beside the bundle. */
  readonly processes?: Processes;
  readonly output: string;
}

/** A Deno that the portable form carries. */
export interface Runtime {
  /** The executable file. */
  readonly path: string;
  /** Where it runs, like `linux x86_64`. */
  readonly platform: string;
}

/** What the head is told about its payload. */
export interface HeadSettings {
  /** Name of the unpacked folder: differs whenever the payload does. */
  readonly hash: string;
  /** File name of the bundle's entry. */
  readonly main: string;
  readonly flags: readonly string[];
  /** Room that the unpacked files take. */
  readonly megabytes: number;
  /** Where the Deno inside runs, like `linux x86_64`. */
  readonly platform: string;
}

/**
 * How the head starts Deno. Nothing of the folder it is started in, nor of HOME, is read: no
 * configuration, lock file, package or remote module.
 */
export const RUN_FLAGS: readonly string[] = [
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--cached-only",
  "--node-modules-dir=manual",
  V8_FLAGS,
  ...PERMISSIONS,
];

/**
 * Level 6: Deno in 42.6 MB and 4 s; level 9 saves 0.1 MB and takes 9 s. Unpacking takes 0.6 s either way. xz
 * would save a quarter, but is not everywhere and unpacks slower.
 */
const GZIP_LEVEL = 6;

/** Ends Deno's search for a package.json here; it would go on to one in HOME. */
const PACKAGE = `{"type":"module"}\n`;

const HEAD = new URL("portable_head.sh", import.meta.url);
const OUTER_ENVIRONMENT = new URL("outer_environment.js", import.meta.url);

/** Builds the portable form for this machine and puts it at `output` in one step. */
export async function buildPortable(build: PortableBuild): Promise<void> {
  await packPortable(await portableProgram(build), await ownRuntime(), build.output);
}

/** The files that the portable form holds beside Deno; they are the same for every platform. */
export async function portableProgram(
  { entry, unbundled, processes = {} }: Omit<PortableBuild, "output">,
): Promise<ArchiveFile[]> {
  const [program, ...others] = await Promise.all([
    bundleProgram(entry, unbundled, processes),
    ...Object.entries(processes).map((pair) => bundleProcess(...pair)),
  ]);
  return [
    ...program,
    ...others,
    { name: "program/outer_environment.js", content: await Deno.readFile(OUTER_ENVIRONMENT) },
    { name: "program/package.json", content: new TextEncoder().encode(PACKAGE) },
  ];
}

/** Puts the portable form of `program` for the platform of `runtime` at `output` in one step. */
export async function packPortable(
  program: readonly ArchiveFile[],
  { path, platform }: Runtime,
  output: string,
): Promise<void> {
  const runtime = await readRuntime(path);
  const payload = concat([
    await packRuntime(runtime),
    await pack(concat([archiveMembers(program), archiveEnd()])),
  ]);
  const unpacked = [runtime, ...program].reduce((sum, { content }) => sum + content.length, 0);
  const head = portableHead(await Deno.readTextFile(HEAD), {
    hash: sha256(payload),
    main: START_MODULE,
    flags: RUN_FLAGS,
    megabytes: Math.ceil(unpacked / 1e6),
    platform,
  });
  await replaceFile(output, concat([new TextEncoder().encode(head), payload]), 0o755);
}

/** The Deno that runs this. */
export async function ownRuntime(): Promise<Runtime> {
  const path = await Deno.realPath(Deno.execPath());
  return { path, platform: `${Deno.build.os} ${Deno.build.arch}` };
}

/** The head's whole text: the payload begins at the byte after it. Pure. */
export function portableHead(text: string, settings: HeadSettings): string {
  const render = (offset: string) =>
    [
      "#!/bin/sh",
      `cordon_hash='${settings.hash}'`,
      `cordon_main='${settings.main}'`,
      `cordon_flags='${settings.flags.join(" ")}'`,
      `cordon_megabytes=${settings.megabytes}`,
      `cordon_platform='${settings.platform}'`,
      `cordon_offset=${offset}`,
      text,
    ].join("\n");
  // The offset is a part of what it measures, so its width is fixed; tail counts bytes from 1.
  const WIDTH = 8;
  const offset = new TextEncoder().encode(render(" ".repeat(WIDTH))).length + 1;
  return render(String(offset).padEnd(WIDTH));
}

/** Deno as the file that the portable form carries. */
async function readRuntime(path: string): Promise<ArchiveFile> {
  const content = await Deno.readFile(path);
  if (content[0] === "#".charCodeAt(0)) {
    throw new Error(`Cannot pack "${path}": a script that starts Deno, not Deno itself`);
  }
  return { name: "program/deno", content, executable: true };
}

/** Packs Deno once for many builds: it is 98 % of the work and changes with Deno's version only. */
async function packRuntime(runtime: ArchiveFile): Promise<Uint8Array> {
  const members = archiveMembers([runtime]);
  const path = join(ROOT, "dist/.runtime", `${sha256(members)}.gz`);
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const packed = await pack(members);
  await replaceFile(path, packed, 0o644);
  return packed;
}

async function pack(bytes: Uint8Array): Promise<Uint8Array> {
  return await promisify<Uint8Array, { level: number }, Uint8Array>(gzip)(bytes, {
    level: GZIP_LEVEL,
  });
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Writes beside and renames: a binary that runs, or a build at the same time, sees one or the other. */
async function replaceFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  const beside = await Deno.makeTempFile({ dir: dirname(path), prefix: ".new-" });
  try {
    await Deno.writeFile(beside, bytes);
    await Deno.chmod(beside, mode);
    await Deno.rename(beside, path);
  } catch (error) {
    await Deno.remove(beside);
    throw error;
  }
}
