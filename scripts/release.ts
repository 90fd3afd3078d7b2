/**
 * Makes a release: `deno task release [--out DIR] [--version V] [--only PLATFORM]… [--portable]
 * [--partial] [--allow-dirty]`. Binaries for every platform, packages for npm, man page,
 * completions, licences and checksums land in one folder, whole or not at all. It publishes nothing.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { VERSION } from "../agent/version.ts";
import { ROOT } from "./compile/contents.ts";
import {
  ADVICE,
  type Binaries,
  buildBinaries,
  checkEnough,
  missingOf,
  planBinaries,
} from "./release/binaries.ts";
import { checkReplaceable, writeSums } from "./release/checksums.ts";
import { documents } from "./release/documents.ts";
import { replaceFolder } from "./release/folder.ts";
import { packForNpm } from "./release/npm_packages.ts";
import { binaryName, type Platform, PLATFORMS } from "./release/platforms.ts";
import { checkCommitted, checkVersion } from "./release/source.ts";

/** What is asked of a release. */
export interface ReleaseOptions {
  /** The folder that it lands in; an earlier release in it is replaced. */
  readonly out: string;
  readonly platforms: readonly Platform[];
  /** Whether a release without some of the platforms will do. */
  readonly partial: boolean;
  /** Whether the portable form is built where the compiled one could be had, too. */
  readonly portable: boolean;
  /** Whether the source may hold what nobody has committed. */
  readonly allowDirty: boolean;
  /** The version that it has to be; missing: the source's, whichever that is. */
  readonly version?: string;
}

/** The folder of npm's packages in a release: they go to npm, the rest to where people download. */
const NPM = "npm";

/**
 * Makes a release, and resolves to lines that say what it holds, in which form and why.
 * @throws {Error} when it cannot be made as asked; the folder is then as it was
 */
export async function release(options: ReleaseOptions): Promise<string[]> {
  const { out, platforms, partial, portable, allowDirty, version } = options;
  if (version !== undefined) checkVersion(version, VERSION);
  if (!allowDirty) await checkCommitted(ROOT);
  await checkReplaceable(out, [NPM]);
  const plans = await planBinaries(platforms, portable);
  checkEnough(platforms, missingOf(plans), partial);
  const texts = await documents();
  return await replaceFolder(out, async (folder) => {
    // Inside, so that it goes with the folder where a signal ends this.
    const work = await Deno.makeTempDir({ dir: folder });
    const binaries = await buildBinaries(plans, folder, work);
    checkEnough(platforms, binaries.missing, partial);
    for (const [name, text] of Object.entries(texts)) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    await packForNpm({
      ...binaries,
      version: VERSION,
      documents: texts,
      work,
      output: join(folder, NPM),
    });
    await Deno.remove(work, { recursive: true });
    await writeSums(folder);
    return await report(folder, binaries);
  });
}

/** A line for each binary, each package and each platform that lacks one. */
async function report(folder: string, { built, missing }: Binaries): Promise<string[]> {
  const packages = (await Array.fromAsync(Deno.readDir(join(folder, NPM))))
    .map(({ name }) => name).sort();
  return [
    ...await Promise.all(built.map(async ({ platform, form, reason }) => {
      const name = binaryName(platform);
      return `${name} (${await sizeOf(join(folder, name))}), ${form} form: ${reason}`;
    })),
    ...await Promise.all(
      packages.map(async (name) => `${NPM}/${name} (${await sizeOf(join(folder, NPM, name))})`),
    ),
    ...missing.map(({ platform, reason }) => `no ${binaryName(platform)}: ${reason}; ${ADVICE}`),
  ];
}

async function sizeOf(path: string): Promise<string> {
  return `${((await Deno.stat(path)).size / 1e6).toFixed(1)} MB`;
}

/**
 * Reads the command line.
 * @throws {TypeError} for what it does not know
 */
export function readArguments(args: readonly string[]): ReleaseOptions {
  const { values: { only, version, "allow-dirty": allowDirty, ...rest } } = parseArgs({
    args: [...args],
    options: {
      out: { type: "string", default: join(ROOT, "dist/release") },
      only: { type: "string", multiple: true, default: PLATFORMS.map(({ name }) => name) },
      version: { type: "string" },
      partial: { type: "boolean", default: false },
      portable: { type: "boolean", default: false },
      "allow-dirty": { type: "boolean", default: false },
    },
  });
  const platforms = PLATFORMS.filter(({ name }) => only.includes(name));
  const unknown = only.find((name) => !platforms.some((platform) => platform.name === name));
  if (unknown !== undefined) {
    const names = PLATFORMS.map(({ name }) => name).join(", ");
    throw new TypeError(`Cannot build for "${unknown}": there are ${names}`);
  }
  return { ...rest, platforms, allowDirty, ...(version === undefined ? {} : { version }) };
}

if (import.meta.main) {
  try {
    const options = readArguments(Deno.args);
    const lines = await release(options);
    console.log([`release ${VERSION} in "${options.out}":`, ...lines].join("\n  "));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    Deno.exitCode = error instanceof TypeError ? 2 : 1;
  }
}
