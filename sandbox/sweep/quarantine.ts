import { join } from "node:path";
import { isMissing } from "../files/system_errors.ts";
import type { Finding } from "./sweep.ts";
import { isRealFolder, putInPlace } from "./tree_actions.ts";
import { lookAt } from "./walk_tree.ts";

/** What is kept about a file besides its bytes. */
export interface Quarantined {
  /** Names the entry; sorts by time. */
  readonly id: string;
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly kind: "file" | "link";
  /** Permission bits, without set-id bits. */
  readonly mode: number;
  readonly reason: string;
  /** In bytes. */
  readonly size: number;
}

/** Files that were taken out of workspaces, in the state folder; a model cannot reach it. */
export interface Quarantine {
  /** Keeps findings, on the disk once it resolves; those without bytes are left out. */
  keep(workspace: string, findings: readonly Finding[]): Promise<Quarantined[]>;
  /** What is kept of the workspaces that pass, or of all; the oldest first. */
  list(isWanted?: (workspace: string) => boolean): Promise<Quarantined[]>;
  /** The bytes of an entry, or the target of a link. */
  read(id: string): Promise<Uint8Array>;
  remove(id: string): Promise<void>;
  /** Removes what is older than `maxAgeMs`, then the oldest until at most `maxBytes` are left. */
  clean(limits: { readonly maxAgeMs: number; readonly maxBytes: number }): Promise<void>;
}

/** What a quarantine needs of the world. */
export interface QuarantineOptions {
  /** Made when the first file comes; `<state>/quarantine`. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A few characters that make an id unique. */
  readonly random: () => string;
}

/** `TIME-RANDOM`, the time with leading zeros; nothing that leads out of the folder. */
const ID = /^(\d{15})-[0-9a-z-]{1,40}$/;

/** A quarantine in a folder. Each entry is a folder with `about.json` and `content`. */
export function openQuarantine({ folder, now, random }: QuarantineOptions): Quarantine {
  async function keepOne(workspace: string, finding: Finding): Promise<Quarantined | undefined> {
    const { seen, bytes } = finding;
    if (!bytes || (seen.kind !== "file" && seen.kind !== "link")) return undefined;
    const id = `${String(now()).padStart(15, "0")}-${random()}`;
    const { path, kind } = seen;
    const about: Quarantined = {
      id,
      workspace,
      path,
      kind,
      mode: seen.mode & 0o777,
      reason: seen.reason ?? "",
      size: bytes.length,
    };
    const entry = join(folder, id);
    await Deno.mkdir(entry, { recursive: true, mode: 0o700 });
    // Never executable, whatever it was.
    await writeNew(join(entry, "content"), bytes);
    // Last: an entry without it is none.
    await writeNew(join(entry, "about.json"), new TextEncoder().encode(JSON.stringify(about)));
    return about;
  }

  const list: Quarantine["list"] = async (isWanted = () => true) => {
    const entries = await Promise.all((await namesIn(folder)).map((id) => readAbout(folder, id)));
    return entries.filter((entry) => entry !== undefined)
      .filter(({ workspace }) => isWanted(workspace));
  };

  function entryFolder(id: string): string {
    if (!ID.test(id)) throw new RangeError(`Cannot open "${id}": it names no quarantined file`);
    return join(folder, id);
  }

  const remove = (id: string) => Deno.remove(entryFolder(id), { recursive: true });

  return {
    list,
    remove,
    async keep(workspace, findings) {
      const kept: Quarantined[] = [];
      for (const finding of findings) {
        const about = await keepOne(workspace, finding);
        if (about) kept.push(about);
      }
      return kept;
    },
    read: (id) => Deno.readFile(join(entryFolder(id), "content")),
    async clean({ maxAgeMs, maxBytes }) {
      const oldest = now() - maxAgeMs;
      const sizes = new Map((await list()).map(({ id, size }) => [id, size]));
      let bytes = 0;
      // Also entries that were never finished.
      for (const id of (await namesIn(folder)).reverse()) {
        bytes += sizes.get(id) ?? 0;
        if (bytes > maxBytes || Number(ID.exec(id)?.[1]) < oldest) await remove(id);
      }
    },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    return entries.filter(({ isDirectory, name }) => isDirectory && ID.test(name))
      .map(({ name }) => name).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Undefined for an entry that was not finished. */
async function readAbout(folder: string, id: string): Promise<Quarantined | undefined> {
  try {
    // Written by us alone, in a folder of our own.
    return JSON.parse(await Deno.readTextFile(join(folder, id, "about.json"))) as Quarantined;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  await file.sync();
}

/** What became of `cordon accept`. */
export type Accepted =
  | { readonly ok: true; readonly accepted: Quarantined }
  | { readonly ok: false; readonly reason: "unknown" | "occupied"; readonly message: string };

/**
 * Puts a quarantined file back in its workspace, with its mode, and forgets all versions of it.
 * `which` is its path, for the newest version, or the id of one. Only a person may cause this.
 * Where something else has come to its place meanwhile it is kept, unless `replace` says so;
 * nothing is written through a link. `isOwn`: the folders whose files belong into the workspace.
 */
export async function acceptQuarantined(
  quarantine: Quarantine,
  workspace: string,
  which: string,
  { replace = false, isOwn = (path) => path === workspace }: {
    readonly replace?: boolean;
    readonly isOwn?: (path: string) => boolean;
  } = {},
): Promise<Accepted> {
  const entries = await quarantine.list(isOwn);
  const chosen = entries.findLast((entry) => entry.path === which) ??
    entries.find(({ id }) => id === which);
  if (!chosen) {
    const message =
      `Cannot accept "${which}": no file of this name was taken out of "${workspace}"`;
    return { ok: false, reason: "unknown", message };
  }
  const { path } = chosen;
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
  await makeFolder(workspace, folder);
  if (!isRealFolder(workspace, folder)) return occupied(path, "a link is in the way to it");
  if (!replace && lookAt(workspace, path, undefined)) {
    return occupied(path, "there is another file now, look at it, then remove it or add --replace");
  }
  putInPlace(workspace, path, { ...chosen, bytes: await quarantine.read(chosen.id) });
  const versions = entries.filter((entry) => entry.path === path);
  for (const { id } of versions) await quarantine.remove(id);
  return { ok: true, accepted: chosen };
}

/** Makes what is missing, name by name, so that no link is followed. */
async function makeFolder(workspace: string, folder: string): Promise<void> {
  let at = workspace;
  for (const name of folder.split("/")) {
    at = join(at, name);
    try {
      await Deno.mkdir(at);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      if (!(await Deno.lstat(at)).isDirectory) return;
    }
  }
}

function occupied(path: string, why: string): Accepted {
  return { ok: false, reason: "occupied", message: `Cannot accept "${path}": ${why}` };
}
