import { nodeFs } from "../files/node_fs.ts";

/** How often the disk is looked at, in milliseconds. */
const INTERVAL_MS = 100;

/** Watches how much of the disks that a command can write is used up. */
export interface DiskWatch extends Disposable {
  /** Resolves when the budget is used up; never where the disks cannot be looked at. */
  readonly exceeded: Promise<"disk">;
}

/**
 * Watches the disks of `folders` until it is disposed. Others may fill them too, so the budget must
 * be far above what a command needs. Where this process may not look, nothing is watched.
 */
export function watchDisks(folders: readonly string[], budgetBytes: number): DiskWatch {
  const { promise, resolve } = Promise.withResolvers<"disk">();
  const start = Promise.all(folders.map(freeBytes));
  const timer = setInterval(async () => {
    const before = await start;
    const now = await Promise.all(folders.map(freeBytes));
    const grown = now.some((free, index) => {
      const then = before[index];
      return free !== undefined && then !== undefined && then - free > budgetBytes;
    });
    if (grown) resolve("disk");
  }, INTERVAL_MS);
  return { exceeded: promise, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Free bytes of the disk that holds a folder; undefined where it cannot be asked. */
async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bfree, bsize } = await nodeFs().promises.statfs(folder);
    return bfree * bsize;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
