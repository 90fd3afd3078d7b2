import { join } from "node:path";
import { HOST_VARIABLES } from "../../sandbox/commands/environment.ts";
import { runInForeground } from "../../sandbox/commands/foreground.ts";
import type { ReadVariable } from "../environment.ts";

/** What an editor needs of the terminal and the desktop, beside what commands get. */
const SEEN: readonly string[] =
  "TERM COLORTERM TERM_PROGRAM TERMINFO DISPLAY WAYLAND_DISPLAY XAUTHORITY SSH_TTY NO_COLOR".split(
    " ",
  );

/** The person's editor as a line of sh: `$VISUAL`, else `$EDITOR`; undefined where none is set. */
export function editorLine(env: ReadVariable): string | undefined {
  return env("VISUAL") || env("EDITOR") || undefined;
}

/**
 * Opens a text in the person's editor at this terminal, which nobody else may read meanwhile; `name`
 * is the file's, by which editors know its kind. Resolves to the text once the editor has ended, or
 * to undefined where it failed, or where this process may start none or write no file for it.
 */
export async function editOutside(
  text: string,
  name: string,
  editor: string,
  env: ReadVariable,
): Promise<string | undefined> {
  const folder = await temporaryFolder();
  if (folder === undefined) return undefined;
  const path = join(folder, name);
  try {
    await Deno.writeTextFile(path, text, { mode: 0o600 });
    const environment = variables([...HOST_VARIABLES, ...SEEN], env);
    const ended = await runInForeground(editor, [path], environment);
    return ended ? await Deno.readTextFile(path) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    // The editor took the file away.
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function temporaryFolder(): Promise<string | undefined> {
  try {
    return await Deno.makeTempDir({ prefix: "cordon-edit-" });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

function variables(names: readonly string[], env: ReadVariable): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value]];
  }));
}
