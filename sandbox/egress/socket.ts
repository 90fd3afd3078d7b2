import { dirname, join } from "node:path";

/** A listening unix socket that is ours alone; disposing it closes it and frees its name. */
export interface EgressSocket extends AsyncDisposable {
  /** Absolute; what is mounted into a view. */
  readonly path: string;
  readonly listener: Deno.UnixListener;
}

/** So many sessions share a state folder at the most. */
export const MAX_SOCKETS = 16;

/** Longest path that a socket can have: 108 bytes with its end (Linux, unix(7)); macOS has 104. */
const MAX_PATH_BYTES = 103;

/** The sockets' paths in a state folder, the first one first; all that a grant has to name. */
export function socketPaths(state: string): string[] {
  return Array.from(
    { length: MAX_SOCKETS },
    (_, index) => join(state, index === 0 ? "egress.sock" : `egress-${index}.sock`),
  );
}

/**
 * Listens on the first of `paths` that no other session has. A lock beside it says who has it, so
 * a socket that a killed session left behind is taken over.
 * @throws {Error} where none can be had.
 */
export async function listenAt(paths: readonly string[]): Promise<EgressSocket> {
  for (const path of paths) {
    if (new TextEncoder().encode(path).length > MAX_PATH_BYTES) throw tooLong(path);
    const socket = await tryListen(path);
    if (socket) return socket;
  }
  const folder = dirname(paths[0] ?? "");
  throw new Error(
    `Cannot open a way out in "${folder}": ${paths.length} sessions have one already, end one or use another --state`,
  );
}

async function tryListen(path: string): Promise<EgressSocket | undefined> {
  const lock = await Deno.open(`${path}.lock`, { create: true, write: true, mode: 0o600 });
  try {
    if (!await lock.tryLock(true)) {
      lock.close();
      return undefined;
    }
    await removeStale(path);
    const listener = Deno.listen({ transport: "unix", path });
    await Deno.chmod(path, 0o600);
    return {
      path,
      listener,
      async [Symbol.asyncDispose]() {
        closeListener(listener);
        await removeStale(path);
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

function closeListener(listener: Deno.UnixListener): void {
  try {
    listener.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

/** Removes a socket, and nothing else: a file of that name makes listening fail. */
async function removeStale(path: string): Promise<void> {
  try {
    if ((await Deno.lstat(path)).isSocket) await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function tooLong(path: string): Error {
  return new Error(
    `Cannot open a way out at "${path}": a socket's path has at most ${MAX_PATH_BYTES} bytes, choose a shorter --state`,
  );
}
