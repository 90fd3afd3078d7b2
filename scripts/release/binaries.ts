/** The binaries of a release: which can be built here, in which form, and the building. */
import { join } from "node:path";
import type { ArchiveFile } from "../compile/archive.ts";
import { buildCompiled, type DenortProbe, probeDenort } from "../compile/compiled.ts";
import { ENTRY, INCLUDES, PROCESSES, UNBUNDLED } from "../compile/contents.ts";
import { packPortable, portableProgram } from "../compile/portable.ts";
import { checkBuiltFor } from "./executable.ts";
import { binaryName, type Platform } from "./platforms.ts";
import { bringRuntime, type FoundRuntime } from "./runtime.ts";

/** What a platform's binary can be built from here. */
export interface Plan {
  readonly platform: Platform;
  /** For the compiled form. */
  readonly denort: DenortProbe;
  /** For the portable form. */
  readonly runtime: FoundRuntime;
}

/** A binary that is there. */
export interface Built {
  readonly platform: Platform;
  readonly form: "compile" | "portable";
  /** Why in this form, in a few words. */
  readonly reason: string;
  /** Its portable form by path, where it has one: packages of npm carry that. */
  readonly portable?: string;
}

/** A platform without a binary, and why, in a few words. */
export interface Missing {
  readonly platform: Platform;
  readonly reason: string;
}

/** What was built, and what not. */
export interface Binaries {
  readonly built: readonly Built[];
  readonly missing: readonly Missing[];
}

/**
 * Looks what can be built here; Deno for the platforms is fetched where it is missing. With
 * `portableOnly` nothing is looked for that the compiled form would need.
 */
export function planBinaries(
  platforms: readonly Platform[],
  portableOnly: boolean,
): Promise<Plan[]> {
  return Promise.all(platforms.map(async (platform) => ({
    platform,
    denort: portableOnly ? UNWANTED : await probeDenort(platform.target),
    runtime: await bringRuntime(platform),
  })));
}

const UNWANTED: DenortProbe = { available: false, reason: "the compiled form was not asked for" };

/** The platforms of plans that neither form can be built for. Pure. */
export function missingOf(plans: readonly Plan[]): Missing[] {
  return plans.flatMap(({ platform, denort, runtime }) =>
    denort.available || runtime.ok
      ? []
      : [{ platform, reason: `${denort.reason}, and ${runtime.reason}` }]
  );
}

/** What helps a platform that nothing can be built for. Deno looks there for what it compiles with. */
export const ADVICE =
  "build where dl.deno.land and the registry of npm can be reached, put the file of that name into " +
  `dl/release/v${Deno.version.deno} of Deno's cache, or pass --partial to go without`;

/**
 * Looks whether what is missing leaves a release.
 * @throws {Error} when something is missing and `partial` does not allow it, or all is
 */
export function checkEnough(
  platforms: readonly Platform[],
  missing: readonly Missing[],
  partial: boolean,
): void {
  if (missing.length === 0 || (partial && missing.length < platforms.length)) return;
  const each = missing.map(({ platform, reason }) => `${platform.name} (${reason})`).join("; ");
  throw new Error(`Cannot build ${each}: ${ADVICE}`);
}

/**
 * Builds each platform's binary into `folder` under its name in a release: the compiled form where
 * it can be had, the portable one elsewhere. Portable forms lie in the folder `work` besides.
 */
export async function buildBinaries(
  plans: readonly Plan[],
  folder: string,
  work: string,
): Promise<Binaries> {
  const program = plans.some(({ runtime }) => runtime.ok)
    ? await portableProgram({ entry: ENTRY, unbundled: UNBUNDLED, processes: PROCESSES })
    : [];
  const built: Built[] = [];
  const missing: Missing[] = [];
  // One after another: each holds a whole Deno in memory.
  for (const plan of plans) {
    const result = await buildOne(plan, program, folder, work);
    if ("form" in result) built.push(result);
    else missing.push(result);
  }
  return { built, missing };
}

async function buildOne(
  { platform, denort, runtime }: Plan,
  program: readonly ArchiveFile[],
  folder: string,
  work: string,
): Promise<Built | Missing> {
  const output = join(folder, binaryName(platform));
  const portable = join(work, binaryName(platform));
  if (runtime.ok) await packPortable(program, runtime.runtime, portable);
  const made = runtime.ok ? { platform, portable } : { platform };
  const failure = denort.available ? await compileFor(platform, output) : denort.reason;
  if (failure === undefined) return { ...made, form: "compile", reason: denort.reason };
  if (!runtime.ok) return { platform, reason: `${failure}, and ${runtime.reason}` };
  await Deno.copyFile(portable, output);
  return { ...made, form: "portable", reason: failure };
}

/** Resolves to what went wrong, in a few words. */
async function compileFor(
  { name, target }: Platform,
  output: string,
): Promise<string | undefined> {
  try {
    await buildCompiled({ entry: ENTRY, includes: INCLUDES, output, target });
    await checkBuiltFor(output, name);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
}
