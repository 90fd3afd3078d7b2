/** Deno for the platforms that the portable form is made for. */
import { join } from "node:path";
import { ownRuntime, type Runtime } from "../compile/portable.ts";
import { moduleInfo, runDeno } from "../compile/run_deno.ts";
import { checkBuiltFor } from "./executable.ts";
import type { Platform } from "./platforms.ts";

/** Deno for a platform, or why it cannot be had, in a few words. */
export type FoundRuntime =
  | { readonly ok: true; readonly runtime: Runtime }
  | { readonly ok: false; readonly reason: string };

/** Outside of the project, whose lock file is no list of platforms. */
const APART = ["--no-lock", "--no-config"];

/**
 * Brings Deno for a platform: this machine's own, or for another one the same version from its
 * package of npm, through Deno's cache, which compares it with the checksum that the registry tells.
 */
export async function bringRuntime({ name, target, portable }: Platform): Promise<FoundRuntime> {
  if (portable === undefined) {
    return { ok: false, reason: "the portable form begins with a shell script" };
  }
  if (target === Deno.build.target) return { ok: true, runtime: await ownRuntime() };
  const specifier = `npm:${portable.denoPackage}@${Deno.version.deno}`;
  try {
    await runDeno(["cache", ...APART, specifier]);
    const [found] = Object.values((await moduleInfo(specifier, APART)).npmPackages);
    if (found === undefined) return { ok: false, reason: `Deno's cache lacks ${specifier}` };
    const path = join(found.localPath, "deno");
    await checkBuiltFor(path, name);
    return { ok: true, runtime: { path, platform: portable.words } };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [first = ""] = error.message.split("\n");
    return { ok: false, reason: `${specifier} cannot be brought: ${first}` };
  }
}
