import type { SeenFolder } from "../../sandbox/snapshots/seen.ts";

/** Version of the format; a cache of another one is not used. */
const FORMAT = 1;

/** What a scan saw, as a text that another process can go on from. */
export function encodeStatCache(root: SeenFolder): string {
  return JSON.stringify({ format: FORMAT, root }, (_, value) => {
    return value instanceof Map ? [...value] : value;
  });
}

/** Reads such a text; undefined where it is torn or of another format: everything is read again. */
export function decodeStatCache(text: string): SeenFolder | undefined {
  try {
    const { format, root } = JSON.parse(text);
    if (format !== FORMAT) return undefined;
    restoreMaps(root);
    return root;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** In place: a copy of some ten thousand entries would cost as much as reading them. */
function restoreMaps(folder: { entries: unknown }): void {
  // A cast: the file is our own, readable and writable for its owner alone, and its format was
  // compared.
  const pairs = folder.entries as [string, { kind: string; entries: unknown }][];
  for (const [, entry] of pairs) if (entry.kind === "folder") restoreMaps(entry);
  folder.entries = new Map(pairs);
}
