import { join } from "node:path";
import type { Grants } from "../../sandbox/rights/grants.ts";
import { isForbidden, isMissing } from "../../sandbox/files/system_errors.ts";
import type { Places } from "../places.ts";
import { allWorktrees, hasRecord, nestAt } from "../worktrees/record.ts";
import { type Check, ok } from "./check.ts";

/** So many files are measured; of more the room is told as "at least". */
const MAX_MEASURED = 100_000;

const MIB = 1024 ** 2;

/** How many worktrees sub-agents left, of whatever folder, and what room they take. */
export function checkWorktrees({ state }: Places, grants: Grants): Check[] {
  if (state === undefined || !grants.allows("read", state)) return [];
  const folder = allWorktrees(state);
  const nests = foldersIn(folder).flatMap(foldersIn);
  const { length: count } = nests.filter((path) => hasRecord(nestAt(path, "")));
  if (count === 0) return [ok("worktrees", "none is kept")];
  const { bytes, isWhole } = measure(nests);
  const room = `${isWhole ? "" : "at least "}${Math.ceil(bytes / MIB)} MiB in ${folder}`;
  return [ok("worktrees", `${count} kept, ${room}: cordon worktrees --all`)];
}

function foldersIn(path: string): string[] {
  return entriesOf(path).filter(({ isDirectory }) => isDirectory).map(({ name }) =>
    join(path, name)
  );
}

/** What lies below these folders, in bytes; links count as nothing. */
function measure(folders: readonly string[]): { bytes: number; isWhole: boolean } {
  const open = [...folders];
  let bytes = 0;
  let measured = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const { name, isDirectory, isFile } of entriesOf(folder)) {
      if (++measured > MAX_MEASURED) return { bytes, isWhole: false };
      if (isDirectory) open.push(join(folder, name));
      if (isFile) bytes += sizeOf(join(folder, name));
    }
  }
  return { bytes, isWhole: true };
}

function sizeOf(path: string): number {
  return orNothing(() => Deno.lstatSync(path).size, 0);
}

function entriesOf(path: string): Deno.DirEntry[] {
  return orNothing(() => [...Deno.readDirSync(path)], []);
}

/** What goes meanwhile, or may not be looked at, takes no room that could be told. */
function orNothing<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return nothing;
    throw error;
  }
}
