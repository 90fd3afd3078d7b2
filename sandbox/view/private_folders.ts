import { dirname, join } from "node:path";
import { surveyBwrapArguments } from "./bwrap.ts";
import { askBwrap } from "./bwrap_process.ts";
import type { MountPoint } from "./mounts.ts";
import { unlessMissing } from "../files/system_errors.ts";
import type { PrivateFolders } from "./view.ts";
import { SYSTEM_PATH } from "./view_places.ts";

/** Time to remove what the commands of a session left in HOME and /tmp, in milliseconds. */
const REMOVE_LIMIT_MS = 60_000;

/** Takes away whatever a folder holds, also what its maker has forbidden everybody to enter. */
const EMPTY_SCRIPT = `
chmod -R u+rwX -- "$1" 2>/dev/null
find "$1" -mindepth 1 -delete`;

/**
 * Makes a session's private folders where they are not there; nobody else may enter them. At once,
 * so that a start need not take turns with what else it loads before the survey can begin.
 */
export function makePrivateFolders(folders: PrivateFolders): void {
  for (const folder of Object.values(folders)) {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
}

/**
 * Makes the mount points in private folders. Commands of an earlier run have written there: what
 * stands in the way of a mount point and is no folder (a link, above all) is removed, as itself.
 */
export async function makeMountPoints(
  points: readonly MountPoint[],
  isFolder: (target: string) => boolean,
): Promise<void> {
  for (const { area, path } of points) {
    const place = join(area.source, path);
    const folder = isFolder(join(area.target, path));
    const seen = await unlessMissing(Deno.lstat(place));
    if (folder ? seen?.isDirectory : seen?.isFile) continue;
    if (seen) await Deno.remove(place, { recursive: true });
    if (folder) await Deno.mkdir(place, { mode: 0o700 });
    else await Deno.writeFile(place, new Uint8Array(), { createNew: true });
  }
}

/** Writes git's global configuration of a new private home: who commits, and nothing else. */
export async function writeIdentity(
  home: string,
  { name, email }: { readonly name?: string; readonly email?: string },
): Promise<void> {
  const lines = [
    ...(name === undefined ? [] : [`\tname = ${quoted(name)}`]),
    ...(email === undefined ? [] : [`\temail = ${quoted(email)}`]),
  ];
  if (lines.length === 0) return;
  try {
    const text = `[user]\n${lines.join("\n")}\n`;
    await Deno.writeTextFile(join(home, ".gitconfig"), text, { createNew: true, mode: 0o600 });
  } catch (error) {
    // It has been there since the session began, and commands may have changed it.
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/** A value in the syntax of git-config(1). */
function quoted(value: string): string {
  const escaped = value.replace(/["\\]/g, (character) => `\\${character}`).replace(/\n/g, "\\n");
  return `"${escaped}"`;
}

/**
 * Removes a session's private folders, all of them. Commands have made what is there, maybe deeper
 * than a path can say: so it is done by programs in a view that can write nothing else.
 * @throws {CommandError} where bubblewrap cannot be started.
 */
export async function removePrivateFolders(folders: PrivateFolders): Promise<void> {
  const folder = dirname(folders.home);
  if (!await unlessMissing(Deno.lstat(folder))) return;
  const argv = ["sh", "-c", EMPTY_SCRIPT, "sh", folder];
  await askBwrap(surveyBwrapArguments(argv, folder), {
    environment: { PATH: SYSTEM_PATH, LC_ALL: "C" },
    timeoutMs: REMOVE_LIMIT_MS,
  });
  await Deno.remove(folder, { recursive: true });
}
