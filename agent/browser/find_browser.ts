import { join } from "node:path";
import type { Launch } from "../launch.ts";
import { chooseBrowser, type ChosenBrowser } from "./choose_browser.ts";

/**
 * The browser of a run: `programs` are those that the kernel view shows; without one it is looked for
 * on PATH, as far as this process may start it.
 */
export function findBrowser(
  { settings, grants, environment }: Pick<Launch, "settings" | "grants" | "environment">,
  programs: readonly string[] | undefined,
): ChosenBrowser | undefined {
  const folders = (environment["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return chooseBrowser(
    settings.browser,
    (program) =>
      programs ? programs.includes(program) : grants.allows("run", program) &&
        // A shell joins it to our pipes.
        grants.allows("run", "bash") &&
        folders.some((folder) => isFile(join(folder, program))),
  );
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    // Whoever may not look does not find it.
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) {
      return false;
    }
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}
