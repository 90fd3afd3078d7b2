import { basename, extname, join } from "node:path";
import type { Store } from "../../tools/tool.ts";
import { reasonOf, SessionLogError } from "./error.ts";

/** Files of a session beside its log: images, spills, snapshots. */
export interface Blobs extends Store {
  /**
   * The bytes kept under a name, or under the path that `save` resolved to; undefined where there
   * are none.
   */
  load(name: string): Promise<Uint8Array | undefined>;
}

/** What {@linkcode memoryBlobs} keep at most, in bytes; the oldest go first. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/**
 * Blobs in a folder that is made with the first one, open to its owner alone. A name that is taken
 * gets a number, so the name to keep is the last part of the path that `save` resolves to.
 */
export function folderBlobs(folder: string): Blobs {
  return {
    async save(name, bytes) {
      await makePrivateFolder(folder);
      return await saveNew(folder, plainName(name), bytes);
    },
    async load(name) {
      try {
        return await Deno.readFile(join(folder, plainName(name)));
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return undefined;
        throw error;
      }
    },
  };
}

/** Blobs that end with the process; a name saved again replaces the one before. */
export function memoryBlobs(maxBytes = MAX_MEMORY_BYTES): Blobs {
  const kept = new Map<string, Uint8Array>();
  let total = 0;
  function drop(name: string): void {
    total -= kept.get(name)?.length ?? 0;
    kept.delete(name);
  }
  return {
    save(name, bytes) {
      drop(plainName(name));
      kept.set(plainName(name), bytes.slice());
      total += bytes.length;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
      return Promise.resolve(undefined);
    },
    load: (name) => Promise.resolve(kept.get(plainName(name))),
  };
}

/** Makes a folder, and those above it, for its owner alone. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
}

/** A name that stays in its folder, whatever a tool or a server made it of. */
function plainName(name: string): string {
  const plain = basename(name).replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\.+/, "_").slice(-200);
  return plain === "" ? "_" : plain;
}

async function saveNew(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let i = 1;; i++) {
    const path = join(folder, i === 1 ? name : `${stem}-${i}${extension}`);
    try {
      await Deno.writeFile(path, bytes, { createNew: true, mode: 0o600 });
      return path;
    } catch (cause) {
      if (cause instanceof Deno.errors.AlreadyExists) continue;
      await removeHalf(path);
      const message = `Cannot save "${name}" in the session's folder: ${reasonOf(cause)}`;
      throw new SessionLogError("write", path, message, { cause });
    }
  }
}

async function removeHalf(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
