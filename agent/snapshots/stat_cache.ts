import type { SeenEntry, SeenFolder, Stamp } from "../../sandbox/snapshots/seen.ts";

/** Version of the format; a cache of another one is not used. */
const FORMAT = 2;

/** Inode, times in milliseconds since 1970, and whether they are settled and ignored (1 and 2). */
type Facts = readonly [inode: number, mtimeMs: number, ctimeMs: number, flags: number];

/** An entry without names of fields, which would be half of the text; told apart by its first item. */
type Row =
  | readonly ["f", mode: number, size: number, hash: string, ...Facts]
  | readonly ["l", target: string, ...Facts]
  | readonly ["x", why: string, ...Facts]
  | readonly ["d", mode: number, tree: string, rules: number, entries: NamedRow[], ...Facts];

type NamedRow = readonly [name: string, row: Row];

interface Cache {
  readonly format: number;
  /** Keys of ignore rules, of which many folders have the same. */
  readonly rules: readonly string[];
  readonly root: Row;
}

/** What a scan saw, as a text that another process can go on from. */
export function encodeStatCache(root: SeenFolder): string {
  const rules = new Map<string, number>();
  const cache: Cache = {
    format: FORMAT,
    root: rowOf(root, (key) => {
      if (!rules.has(key)) rules.set(key, rules.size);
      return rules.get(key) ?? 0;
    }),
    rules: [...rules.keys()],
  };
  return JSON.stringify(cache);
}

/** Reads such a text; undefined where it is torn or of another format: everything is read again. */
export function decodeStatCache(text: string): SeenFolder | undefined {
  try {
    // A cast: the file is our own, readable and writable for its owner alone, and its format is
    // compared before the rest is used.
    const { format, rules, root } = JSON.parse(text) as Cache;
    if (format !== FORMAT) return undefined;
    const seen = seenOf(root, rules);
    return seen.kind === "folder" ? seen : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function rowOf(seen: SeenEntry, ruleNumber: (key: string) => number): Row {
  const facts = factsOf(seen);
  switch (seen.kind) {
    case "file":
      return ["f", seen.mode, seen.size, seen.hash, ...facts];
    case "link":
      return ["l", seen.target, ...facts];
    case "left_out":
      return ["x", seen.why, ...facts];
    case "folder": {
      const rules = ruleNumber(seen.rules);
      const entries = [...seen.entries].map(([name, entry]): NamedRow => [
        name,
        rowOf(entry, ruleNumber),
      ]);
      return ["d", seen.mode, seen.tree, rules, entries, ...facts];
    }
  }
}

function seenOf(row: Row, rules: readonly string[]): SeenEntry {
  switch (row[0]) {
    case "f": {
      const [, mode, size, hash, inode, mtimeMs, ctimeMs, flags] = row;
      const stamp = stampOf(inode, mtimeMs, ctimeMs, flags);
      return { kind: "file", mode, size, hash, ignored: isIgnored(flags), stamp };
    }
    case "l": {
      const [, target, inode, mtimeMs, ctimeMs, flags] = row;
      const stamp = stampOf(inode, mtimeMs, ctimeMs, flags);
      return { kind: "link", target, ignored: isIgnored(flags), stamp };
    }
    case "x": {
      const [, why, inode, mtimeMs, ctimeMs, flags] = row;
      const stamp = stampOf(inode, mtimeMs, ctimeMs, flags);
      return { kind: "left_out", why, ignored: isIgnored(flags), stamp };
    }
    case "d": {
      const [, mode, tree, key, rows, inode, mtimeMs, ctimeMs, flags] = row;
      const stamp = stampOf(inode, mtimeMs, ctimeMs, flags);
      const entries = new Map<string, SeenEntry>();
      for (const [name, entry] of rows) entries.set(name, seenOf(entry, rules));
      const ignored = isIgnored(flags);
      return { kind: "folder", mode, ignored, stamp, rules: rules[key] ?? "", entries, tree };
    }
  }
}

function factsOf({ stamp, ignored }: SeenEntry): Facts {
  const flags = (stamp.settled ? 1 : 0) + (ignored ? 2 : 0);
  return [stamp.inode, stamp.mtimeMs, stamp.ctimeMs, flags];
}

function stampOf(inode: number, mtimeMs: number, ctimeMs: number, flags: number): Stamp {
  return { inode, mtimeMs, ctimeMs, settled: (flags & 1) !== 0 };
}

function isIgnored(flags: number): boolean {
  return (flags & 2) !== 0;
}
