/** Deno's own commands, run in the project's folder, and what it tells of packages. */
import { ROOT } from "./contents.ts";

/** A package of npm as it lies in Deno's cache. */
export interface CachedPackage {
  readonly name: string;
  readonly version: string;
  /** The folder that it is unpacked in. */
  readonly localPath: string;
  /** The packages that it needs, by their keys in `npmPackages`. */
  readonly dependencies: readonly string[];
}

/** What `deno info --json` prints of a module and all that it imports (checked with Deno 2.9). */
export interface ModuleInfo {
  readonly modules: readonly { readonly npmPackage?: string }[];
  /** Each with what it needs; where there is a lock file, all that it holds. */
  readonly npmPackages: Readonly<Record<string, CachedPackage>>;
}

/**
 * Runs `deno` with these arguments, and resolves to what it prints.
 * @throws {Error} with Deno's own words when it fails
 */
export async function runDeno(args: readonly string[]): Promise<string> {
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

/**
 * What Deno knows of a module, a path or `npm:NAME@VERSION`, after these flags.
 * @throws {Error} with Deno's own words when it fails
 */
export async function moduleInfo(
  specifier: string,
  flags: readonly string[] = [],
): Promise<ModuleInfo> {
  // The shape is Deno's; what is read of it is what ModuleInfo names.
  return JSON.parse(await runDeno(["info", "--json", ...flags, specifier])) as ModuleInfo;
}
