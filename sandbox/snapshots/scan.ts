import { isForbidden, isMissing } from "../files/system_errors.ts";
import { isTemporaryName } from "../files/temporary_name.ts";
import {
  CACHE_TAG,
  holdsAtMost,
  isGitName,
  isRegenerable,
  isTaggedCache,
  MAX_IGNORED_ENTRIES,
} from "./coverage.ts";
import { isAsBefore, type LeafOptions, LeafReader } from "./leaves.ts";
import { leftOut, missing, NO_STAMP } from "./left_out.ts";
import { hides, IGNORE_FILE, NO_RULES, type Rules, rulesOf } from "./rules.ts";
import {
  isUnchanged,
  modeOf,
  type SeenEntry,
  type SeenFile,
  type SeenFolder,
  type SeenLeftOut,
  stampOf,
} from "./seen.ts";
import { encodeTree } from "./tree_object.ts";

/** How a workspace is looked at. */
export interface ScanOptions extends LeafOptions {
  /** What an earlier scan saw: files that look unchanged are not read again. */
  readonly previous: SeenFolder | undefined;
  /** What `previous` covers stays covered, whatever ignore rules say by now. */
  readonly keepsCovered: boolean;
  /** Paths from the root that are no part of the workspace, as a state folder inside of it. */
  readonly except: readonly string[];
  /** Once so many entries were looked at, further folders are left out; 200,000 by default. */
  readonly maxEntries?: number;
}

/** What a scan came to. */
export interface Scan {
  readonly root: SeenFolder;
  /** Files whose content was read. */
  readonly filesRead: number;
  /** Entries that were looked at. */
  readonly entries: number;
  /** Files that were left out for lack of time or room; another scan gets on with them. */
  readonly filesPutOff: number;
  /** Folders were left out since there are too many entries. */
  readonly stopped: boolean;
  /** Temporary files of ours, from the root: each is being written, or was left by a killed process. */
  readonly temporary: readonly string[];
}

/** So many entries are looked at by default, which takes some 600 ms each time. */
const MAX_ENTRIES = 200_000;

/** How long a scan works before it lets others, in milliseconds. */
const SLICE_MS = 25;

/**
 * Looks at everything below a folder, and keeps what is new. Links are not followed; `.git` is
 * passed over. Synchronous but for a pause now and then: waiting for each look would treble the time.
 * @throws the reason of `signal` once it is raised.
 */
export async function scanWorkspace(options: ScanOptions, signal?: AbortSignal): Promise<Scan> {
  const scanner = new Scanner(options);
  const work = scanner.scan();
  for (let step = work.next();; step = work.next()) {
    if (step.done) return step.value;
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** A folder that is being looked at. */
interface Place {
  /** From the root, "" there. */
  readonly path: string;
  readonly rules: Rules;
  readonly ignored: boolean;
  readonly previous: SeenFolder | undefined;
  /** Only what was covered before is looked at. */
  readonly onlyKnown: boolean;
}

type Work<T> = Generator<void, T, void>;

class Scanner {
  readonly #options: ScanOptions;
  readonly #except: ReadonlySet<string>;
  readonly #leaves: LeafReader;
  #sliceEnd = performance.now() + SLICE_MS;
  #entries = 0;
  #stopped = false;
  readonly #temporary: string[] = [];
  /** The ignore file that was looked at last, ahead of its turn. */
  #ruleFile: { readonly path: string; readonly seen: SeenFile | SeenLeftOut } | undefined;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#except = new Set(options.except);
    this.#leaves = new LeafReader(options);
  }

  *scan(): Work<Scan> {
    const { root, previous } = this.#options;
    const place = { path: "", rules: NO_RULES, ignored: false, previous, onlyKnown: false };
    const seen = yield* this.#folder(place, Deno.statSync(root));
    if (seen.kind !== "folder") throw new Error(`Cannot take a snapshot of "${root}": ${seen.why}`);
    const { filesRead, filesPutOff } = this.#leaves;
    const entries = this.#entries;
    const temporary = this.#temporary;
    return { root: seen, entries, filesRead, filesPutOff, stopped: this.#stopped, temporary };
  }

  *#folder(place: Place, info: Deno.FileInfo): Work<SeenFolder | SeenLeftOut> {
    const { previous, ignored } = place;
    const stamp = stampOf(info, this.#options.now());
    const fresh = this.#listing(place, info);
    if (typeof fresh === "string") return leftOut(fresh, ignored, stamp);
    const rules = this.#rulesIn(place, fresh);
    const before = previous?.rules === rules.key ? previous : undefined;
    const found = before && !fresh
      ? yield* this.#sameNames(place, rules, before)
      : yield* this.#names(fresh ?? previous?.entries.keys() ?? [], place, rules, before);
    const mode = modeOf(info);
    if (before && found === before.entries && before.mode === mode) {
      return isUnchanged(before.stamp, info) ? before : { ...before, stamp };
    }
    const tree = this.#options.keep(encodeTree(found));
    return { kind: "folder", mode, ignored, stamp, rules: rules.key, entries: found, tree };
  }

  /** The entries of a folder that has the names of before, itself the ones of before if it can be. */
  *#sameNames(
    place: Place,
    rules: Rules,
    { entries }: SeenFolder,
  ): Work<ReadonlyMap<string, SeenEntry>> {
    const prefix = this.#absolute(place.path);
    let changed: Map<string, SeenEntry> | undefined;
    for (const [name, known] of entries) {
      // Nearly all of a large workspace ends here, so nothing is made for it.
      if (known.kind === "file" && isAsBefore(`${prefix}/${name}`, known)) {
        this.#entries++;
        continue;
      }
      const seen = yield* this.#entry(name, place, rules, true, known);
      if (seen === known) continue;
      changed ??= new Map(entries);
      if (seen) changed.set(name, seen);
      else changed.delete(name);
    }
    return changed ?? entries;
  }

  *#names(
    names: Iterable<string>,
    place: Place,
    rules: Rules,
    before: SeenFolder | undefined,
  ): Work<ReadonlyMap<string, SeenEntry>> {
    const found = new Map<string, SeenEntry>();
    let same = true;
    for (const name of names) {
      const known = place.previous?.entries.get(name);
      const seen = yield* this.#entry(name, place, rules, before !== undefined, known);
      if (seen) found.set(name, seen);
      if (seen !== known) same = false;
    }
    return same && before?.entries.size === found.size ? before.entries : found;
  }

  /**
   * The names in a folder; undefined where they are those of before, words where it is left out. A
   * folder's times change with its names, so that there is no need to read it again.
   */
  #listing(
    { path, previous, onlyKnown }: Place,
    info: Deno.FileInfo,
  ): readonly string[] | undefined | string {
    if (previous && (onlyKnown || isSameFolder(previous, info))) return undefined;
    const folder = this.#absolute(path);
    const names = namesIn(folder);
    if (!names) return "it cannot be read";
    const tagged = path !== "" && names.includes(CACHE_TAG) && isTaggedCache(folder);
    if (!tagged) return names;
    // What was covered before the tag came stays covered, and nothing else.
    return this.#options.keepsCovered && previous
      ? undefined
      : `${CACHE_TAG} says that it is a cache`;
  }

  /** The ignore file is looked at first: what it says decides about all the others. */
  #rulesIn({ path, rules, previous }: Place, fresh: readonly string[] | undefined): Rules {
    const has = fresh ? fresh.includes(IGNORE_FILE) : previous?.entries.has(IGNORE_FILE);
    if (!has) return rules;
    const file = childPath(path, IGNORE_FILE);
    const info = this.#leaves.look(file);
    if (info === "missing" || info === "forbidden" || !info.isFile) return rules;
    const seen = this.#leaves.file(file, info, false, previous?.entries.get(IGNORE_FILE));
    this.#ruleFile = { path: file, seen };
    return seen.kind === "file" ? rulesOf(this.#options.root, path, seen.hash, rules) : rules;
  }

  *#entry(
    name: string,
    place: Place,
    rules: Rules,
    sameRules: boolean,
    known: SeenEntry | undefined,
  ): Work<SeenEntry | undefined> {
    if (isGitName(name)) return undefined;
    const path = childPath(place.path, name);
    if (this.#except.has(path)) return undefined;
    if (isTemporaryName(name)) {
      this.#temporary.push(path);
      return undefined;
    }
    this.#entries++;
    if (performance.now() > this.#sliceEnd) {
      yield;
      this.#sliceEnd = performance.now() + SLICE_MS;
    }
    const info = this.#leaves.look(path);
    if (info === "missing") return missing(name);
    if (info === "forbidden") return leftOut("it cannot be read", place.ignored, NO_STAMP, known);
    const ignored = place.ignored ||
      (sameRules && known && isSameKind(known, info)
        ? known.ignored
        : rules.key !== "" && hides(rules, info.isDirectory ? `${path}/` : path));
    if (info.isFile && this.#ruleFile?.path === path) return this.#ruleFile.seen;
    if (info.isFile) return this.#leaves.file(path, info, ignored, known);
    if (info.isSymlink) return this.#leaves.link(path, info, ignored, known);
    const stamp = stampOf(info, this.#options.now());
    if (!info.isDirectory) return leftOut("it is a pipe, socket or device", ignored, stamp, known);
    return yield* this.#below(name, { ...place, path, rules, ignored }, info, known);
  }

  /** A folder inside a folder, where it is not left out. */
  *#below(
    name: string,
    place: Omit<Place, "previous">,
    info: Deno.FileInfo,
    known: SeenEntry | undefined,
  ): Work<SeenEntry> {
    const previous = known?.kind === "folder" ? known : undefined;
    const why = this.#folderLeftOut(name, place, info, known);
    if (why === undefined) return yield* this.#folder({ ...place, previous }, info);
    if (previous && this.#options.keepsCovered) {
      return yield* this.#folder({ ...place, previous, onlyKnown: true }, info);
    }
    return leftOut(why, place.ignored, stampOf(info, this.#options.now()), known);
  }

  #folderLeftOut(
    name: string,
    { path, ignored, onlyKnown }: Omit<Place, "previous">,
    info: Deno.FileInfo,
    known: SeenEntry | undefined,
  ): string | undefined {
    if (this.#entries > (this.#options.maxEntries ?? MAX_ENTRIES)) {
      this.#stopped = true;
      return "the workspace holds too many files";
    }
    if (isRegenerable(name)) return `${name} is made again by a command`;
    if (!ignored || onlyKnown) return undefined;
    // Below a small ignored folder everything is small.
    if (known?.kind === "left_out" && isUnchanged(known.stamp, info)) return known.why;
    if (holdsAtMost(this.#absolute(path), MAX_IGNORED_ENTRIES)) return undefined;
    return `ignore rules hide it, and it holds more than ${MAX_IGNORED_ENTRIES} entries`;
  }

  #absolute(path: string): string {
    return path === "" ? this.#options.root : `${this.#options.root}/${path}`;
  }
}

function isSameFolder(previous: SeenFolder, info: Deno.FileInfo): boolean {
  return previous.mode === modeOf(info) && isUnchanged(previous.stamp, info);
}

/** Rules tell folders from all the rest. */
function isSameKind({ kind }: SeenEntry, { isDirectory }: Deno.FileInfo): boolean {
  return kind !== "left_out" && (kind === "folder") === isDirectory;
}

function childPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function namesIn(folder: string): string[] | undefined {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return undefined;
    throw error;
  }
}
