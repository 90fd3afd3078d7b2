/** The compiled form of the binary: `deno compile`, which needs Deno's runtime for it, denort. */
import { dirname, join } from "node:path";
import { PERMISSIONS, V8_FLAGS } from "./contents.ts";

/** What a compiled binary is built from. */
export interface CompiledBuild {
  readonly entry: string;
  readonly includes: readonly string[];
  readonly output: string;
  /** Rust's name of the platform that it will run on; missing: this machine's. */
  readonly target?: string;
}

/** Whether denort can be had here, and the reason in a few words. */
export interface DenortProbe {
  readonly available: boolean;
  readonly reason: string;
}

/** How long the download server may take to answer, in milliseconds: it only tells if it is there. */
const PROBE_LIMIT_MS = 3_000;

/** The arguments of `deno compile`. Pure. */
export function compileArguments(
  { entry, includes, output, target }: CompiledBuild,
): string[] {
  return [
    "compile",
    "--frozen",
    "--no-prompt",
    "--exclude-unused-npm",
    V8_FLAGS,
    ...PERMISSIONS,
    ...includes.flatMap((path) => ["--include", path]),
    ...(target === undefined ? [] : ["--target", target]),
    "--output",
    output,
    entry,
  ];
}

/**
 * Looks where `deno compile` will look: DENORT_BIN, which is this machine's, Deno's cache, the
 * download server.
 */
export async function probeDenort(target: string = Deno.build.target): Promise<DenortProbe> {
  const given = target === Deno.build.target ? Deno.env.get("DENORT_BIN") : undefined;
  if (given) return { available: true, reason: `DENORT_BIN is "${given}"` };
  const file = join("release", `v${Deno.version.deno}`, `denort-${target}.zip`);
  if (await isCached(file)) return { available: true, reason: "denort lies in Deno's cache" };
  const url = `https://dl.deno.land/${file}`;
  try {
    const { ok, status } = await fetch(url, {
      method: "HEAD",
      signal: AbortSignal.timeout(PROBE_LIMIT_MS),
    });
    return ok
      ? { available: true, reason: "denort can be downloaded" }
      : { available: false, reason: `${url} answers ${status}${orElse(target)}` };
  } catch (error) {
    // No network and a silent one are answers here; anything else is our mistake.
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    return { available: false, reason: `${url} cannot be reached${orElse(target)}` };
  }
}

/** What else would have helped. */
function orElse(target: string): string {
  return target === Deno.build.target ? ", and DENORT_BIN is not set" : "";
}

/**
 * Builds the compiled form at `output`.
 * @throws {Error} when `deno compile` fails; what it said is on stderr
 */
export async function buildCompiled(build: CompiledBuild): Promise<void> {
  await Deno.mkdir(dirname(build.output), { recursive: true });
  const child = new Deno.Command(Deno.execPath(), {
    args: compileArguments(build),
    clearEnv: true,
    env: compileEnvironment(build.target),
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  const { success, code } = await child.status;
  if (!success) throw new Error(`Cannot compile "${build.entry}": deno compile exits with ${code}`);
}

/** Ours; but DENORT_BIN would go into a binary for any platform, and it is this machine's. */
function compileEnvironment(target: string = Deno.build.target): Record<string, string> {
  const env: Record<string, string> = { ...Deno.env.toObject(), DENO_NO_UPDATE_CHECK: "1" };
  if (target !== Deno.build.target) delete env.DENORT_BIN;
  return env;
}

/** Deno keeps downloads under `dl` of its cache. */
async function isCached(file: string): Promise<boolean> {
  const child = new Deno.Command(Deno.execPath(), { args: ["info", "--json"], stderr: "null" });
  const { denoDir } = JSON.parse(new TextDecoder().decode((await child.output()).stdout)) as {
    denoDir: string;
  };
  try {
    return (await Deno.stat(join(denoDir, "dl", file))).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
