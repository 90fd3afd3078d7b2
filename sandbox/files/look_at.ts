import { isMissing } from "./system_errors.ts";

/** What lies at a path, a link as itself; undefined where nothing does. */
export function lookAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
