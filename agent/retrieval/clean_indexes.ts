import { join } from "node:path";
import { unlessMissing } from "../../sandbox/files/system_errors.ts";
import { removeDatabase } from "./database.ts";

const DATABASE = ".sqlite";
const LOCK = `${DATABASE}.lock`;

/**
 * Removes indexes that nobody has asked for so long, in milliseconds: each search notes its time.
 * One that another process changes at this moment stays.
 */
export async function cleanIndexes(folder: string, maxAgeMs: number, now: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!name.endsWith(DATABASE)) continue;
    const age = now - ((await unlessMissing(Deno.stat(path)))?.mtime?.getTime() ?? now);
    if (age <= maxAgeMs) continue;
    const lockPath = join(folder, name.slice(0, -DATABASE.length) + LOCK);
    using lock = await Deno.open(lockPath, { write: true, create: true, mode: 0o600 });
    if (!await lock.tryLock(true)) continue;
    await removeDatabase(path);
    await unlessMissing(Deno.remove(lockPath));
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await unlessMissing(Array.fromAsync(Deno.readDir(folder)));
  return (entries ?? []).map(({ name }) => name);
}
