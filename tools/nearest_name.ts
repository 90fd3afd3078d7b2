import { basename, dirname, join } from "node:path";
import type { Refusal } from "../sandbox/files/answer.ts";
import type { ReadFiles } from "../sandbox/files/files.ts";

/** Names proposed at the most. */
const MAX_NAMES = 3;

/** Longer names, and folders of more entries, are not compared: that keeps the search short. */
const MAX_NAME_CHARS = 100;
const MAX_ENTRIES = 5_000;

/** Adds the names most like a missing path's to its refusal; others stay as they are. */
export async function withNearestNames<R extends string>(
  files: Pick<ReadFiles, "list">,
  refusal: Refusal<R>,
): Promise<Refusal<R>> {
  if (refusal.reason !== "not_a_file" && refusal.reason !== "not_a_folder") return refusal;
  const folder = dirname(refusal.path);
  const wanted = basename(refusal.path);
  const listed = await files.list(folder);
  if (!listed.ok || listed.entries.some(({ name }) => name === wanted)) return refusal;
  const names = nearestNames(wanted, listed.entries.map(({ name }) => name));
  if (names.length === 0) return refusal;
  const proposed = names.map((name) => join(folder, name)).join(" or ");
  return { ...refusal, message: `${refusal.message}; did you mean ${proposed}?` };
}

/** The names that differ little from the wanted one, nearest first. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  if (wanted.length > MAX_NAME_CHARS || names.length > MAX_ENTRIES) return [];
  // A third of the letters may differ: "confg.json" is near "config.json", "a.ts" is not near "b.ts".
  const most = Math.max(1, Math.floor(wanted.length / 3));
  return names
    .filter((name) => name !== wanted && Math.abs(name.length - wanted.length) <= most)
    .map((name) => ({ name, distance: nameDistance(wanted, name) }))
    .filter(({ distance }) => distance <= most && distance < wanted.length / 2)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** Insertions, removals, exchanges and swaps of neighbours between two names, case not counted. */
function nameDistance(left: string, right: string): number {
  const a = left.toLowerCase();
  const b = right.toLowerCase();
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchange = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? at(above, j - 2) + 1 : Infinity;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, exchange, swap));
    }
    above = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
