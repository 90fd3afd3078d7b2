import * as z from "zod";
import type { Store } from "./tool.ts";

/** What every answer of a search says beside what it found. */
export const found = z.object({
  /** How many there are, shown or not. */
  total: z.number(),
  /** The search ended early: there may be more. */
  stopped: z.boolean(),
  /** Folders that could not be read. */
  unreadable: z.number(),
  /** Where a longer list than the shown one lies, and how many of the `total` are in it. */
  spill: z.object({ path: z.string(), count: z.number() }).optional(),
});

export type Found = z.infer<typeof found>;

/** Saves a longer list than the shown one; the part of a value that says so. */
export async function spillRows(
  rows: readonly string[],
  count: number,
  { store, name }: { readonly store: Store; readonly name: string },
): Promise<Pick<Found, "spill">> {
  const path = await store.save(name, new TextEncoder().encode(`${rows.join("\n")}\n`));
  return path === undefined ? {} : { spill: { path, count } };
}

/** Numbered rows, from 1. */
export function numbered(rows: readonly string[]): string {
  return rows.map((row, index) => `${String(index + 1).padStart(6)}\t${onOneLine(row)}`).join("\n");
}

/** Text that keeps to its line: one with control characters is quoted as in JSON. */
export function onOneLine(value: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(value) ? JSON.stringify(value) : value;
}

/** The rows, and the markers that say what is missing. */
export function renderFound(
  rows: string,
  { total, stopped, unreadable, spill }: Found,
  { shown, nothing }: { readonly shown: number; readonly nothing: string },
): string {
  const markers = [
    ...(total === 0 ? [nothing] : []),
    ...(unreadable > 0 ? [`[folders that could not be read: ${unreadable}]`] : []),
    ...(stopped ? ["[stopped early, there may be more: name a smaller folder as path]"] : []),
    ...(shown < total
      ? [`[${shown} of ${total} matches shown${spill ? `, ${whereIs(spill, total)}` : ""}]`]
      : []),
  ];
  return [...(rows === "" ? [] : [rows]), ...markers].join("\n");
}

/** As "all in PATH". */
export function whereIs({ path, count }: { path: string; count: number }, total: number): string {
  return `${count === total ? "all" : `the first ${count}`} in ${path}`;
}
