import { isAt } from "../../sandbox/files/checked_open.ts";
import { isForbidden, isMissing } from "../../sandbox/files/system_errors.ts";
import { digestOf } from "../../sandbox/snapshots/digest.ts";
import type { TreeEntry } from "../../sandbox/snapshots/entry.ts";
import type { SeenEntry, SeenFile, SeenFolder } from "../../sandbox/snapshots/seen.ts";
import { encodeTree } from "../../sandbox/snapshots/tree_object.ts";
import type { ObjectStore } from "../snapshots/object_store.ts";

/** What is copied, and where to. */
export interface CopyOptions {
  /** Absolute, links resolved. */
  readonly from: string;
  /** A folder that is there; what else is in it stays. */
  readonly to: string;
  /** What a scan of `from` saw. */
  readonly seen: SeenFolder;
  /** Holds the content of all that the scan read, and takes the trees of the copy. */
  readonly objects: ObjectStore;
  readonly signal?: AbortSignal | undefined;
}

/** What became of a copy. */
export interface Copied {
  /** Hash of the tree that the copy is: what was not copied is not in it. */
  readonly tree: string;
  /** Paths that were not copied, each with its reason. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
  /** Files whose content no snapshot holds, as they are in the copy. */
  readonly large: ReadonlyMap<string, FileMark>;
}

/** By what a large file is known again. Times are in milliseconds since 1970. */
export interface FileMark {
  readonly size: number;
  readonly mtimeMs: number;
}

/** How long a copy works before it lets others, in milliseconds. */
const SLICE_MS = 25;

/** How much of a large file is copied at a time, in bytes. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Copies what a scan saw, `.git` and what commands make again apart; blocks are shared where the
 * file system can. No link that is swapped in meanwhile brings anything else into the copy.
 * @throws the reason of `signal` once it is raised.
 */
export async function copyTree(options: CopyOptions): Promise<Copied> {
  const copier = new Copier(options);
  const tree = await copier.folder("", options.seen);
  options.objects.flush();
  return { tree, leftOut: copier.leftOut, large: copier.large };
}

class Copier {
  readonly leftOut: { path: string; why: string }[] = [];
  readonly large = new Map<string, FileMark>();
  readonly #options: CopyOptions;
  #sliceEnd = performance.now() + SLICE_MS;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  async folder(path: string, { entries }: SeenFolder): Promise<string> {
    const copied: [string, TreeEntry][] = [];
    for (const [name, entry] of entries) {
      const copy = await this.#entry(path === "" ? name : `${path}/${name}`, entry);
      if (copy) copied.push([name, copy]);
    }
    return this.#options.objects.keep(encodeTree(copied));
  }

  async #entry(path: string, entry: SeenEntry): Promise<TreeEntry | undefined> {
    await this.#letOthers();
    const target = `${this.#options.to}/${path}`;
    switch (entry.kind) {
      case "file":
        return this.#file(path, target, entry);
      case "link":
        Deno.symlinkSync(entry.target, target);
        return entry;
      case "folder": {
        Deno.mkdirSync(target, { mode: 0o700 });
        const tree = await this.folder(path, entry);
        Deno.chmodSync(target, entry.mode);
        return { ...entry, tree };
      }
      case "left_out":
        return this.#unread(path, target, entry);
    }
  }

  #file(path: string, target: string, entry: SeenFile): TreeEntry | undefined {
    const { from, objects } = this.#options;
    if (!sharedCopy(`${from}/${path}`, target, entry.hash)) {
      const bytes = objects.load(entry.hash);
      if (!bytes) return void this.leftOut.push({ path, why: "it was changed meanwhile" });
      Deno.writeFileSync(target, bytes, { createNew: true, mode: 0o600 });
    }
    Deno.chmodSync(target, entry.mode);
    const { mtimeMs } = entry.stamp;
    Deno.utimeSync(target, mtimeMs / 1000, mtimeMs / 1000);
    return entry;
  }

  /** Large files are copied all the same; whole folders that were left out are not. */
  #unread(path: string, target: string, entry: SeenEntry & { kind: "left_out" }) {
    const source = `${this.#options.from}/${path}`;
    const info = orUndefined(() => Deno.lstatSync(source));
    const copied = info?.isFile === true && orUndefined(() => copyLarge(source, target));
    if (!info || !copied) {
      this.leftOut.push({ path, why: entry.why });
      return undefined;
    }
    Deno.chmodSync(target, (info.mode ?? 0o600) & 0o7777);
    const mtimeMs = info.mtime?.getTime() ?? 0;
    Deno.utimeSync(target, mtimeMs / 1000, mtimeMs / 1000);
    this.large.set(path, markOf(Deno.lstatSync(target)));
    return entry;
  }

  /** Waiting for each file would take far longer than copying it. */
  async #letOthers(): Promise<void> {
    if (performance.now() < this.#sliceEnd) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#options.signal?.throwIfAborted();
    this.#sliceEnd = performance.now() + SLICE_MS;
  }
}

/** By what a file is known again; undefined where there is none, or it may not be looked at. */
export function markAt(path: string): FileMark | undefined {
  const info = orUndefined(() => Deno.lstatSync(path));
  return info && markOf(info);
}

function markOf(info: Deno.FileInfo): FileMark {
  return { size: info.size, mtimeMs: info.mtime?.getTime() ?? 0 };
}

/** Copies a file, sharing its blocks where that goes; false, and no copy, where it is another one. */
function sharedCopy(source: string, target: string, hash: string): boolean {
  const same = orUndefined(() => {
    Deno.copyFileSync(source, target);
    Deno.chmodSync(target, 0o600);
    return digestOf(Deno.readFileSync(target)) === hash;
  });
  if (same) return true;
  orUndefined(() => Deno.removeSync(target));
  return false;
}

/** Copies a regular file that is too large to be held in memory; no link is followed. */
function copyLarge(source: string, target: string): boolean {
  using from = Deno.openSync(source);
  if (!isAt(source, from.statSync())) return false;
  using to = Deno.openSync(target, { write: true, createNew: true, mode: 0o600 });
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let count = from.readSync(chunk); count !== null; count = from.readSync(chunk)) {
    for (let at = 0; at < count;) at += to.writeSync(chunk.subarray(at, count));
  }
  return true;
}

/** Undefined where something is not there, or may not be read. */
function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return undefined;
    throw error;
  }
}
