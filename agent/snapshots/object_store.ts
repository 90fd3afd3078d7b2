import { join } from "node:path";
import { digestOf } from "../../sandbox/snapshots/digest.ts";
import { decodeIndex, decodeObject, encodeIndex, encodeObject, type Slot } from "./pack.ts";

/** Ends of names in an object folder: objects one behind the other, and where they lie. */
const PACK_END = ".pack";
const INDEX_END = ".index";
const DRAFT_END = ".draft";

/** So many bytes of new objects are held back before they are written. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** A pack on the disk. */
export interface Pack {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly slots: ReadonlyMap<string, Slot>;
}

/**
 * Bytes by their SHA-256, in packs that are never changed: processes that write side by side need
 * not know of each other. A pack counts once its index is there, which is written last.
 */
export class ObjectStore {
  readonly folder: string;
  #packs: Pack[] | undefined;
  readonly #places = new Map<string, { readonly pack: string; readonly slot: Slot }>();
  #draft: Draft | undefined;

  /** `folder` is made with the first object, for its owner alone. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** The packs that were there when they were first asked for, and those written since. */
  packs(): readonly Pack[] {
    if (this.#packs) return this.#packs;
    this.#packs = packsIn(this.folder);
    for (const pack of this.#packs) this.#place(pack);
    return this.#packs;
  }

  /** Stored bytes of all packs, in bytes; no index is read for it. */
  sizeOnDisk(): number {
    const packs = namesIn(this.folder).filter((name) => name.endsWith(PACK_END));
    return packs.reduce((sum, name) => sum + sizeOf(join(this.folder, name)), 0);
  }

  has(hash: string): boolean {
    this.packs();
    return this.#places.has(hash) || this.#draft?.slots.has(hash) === true;
  }

  /** Takes an object, and answers its hash; it is on the disk after {@linkcode flush}. */
  keep(bytes: Uint8Array): string {
    const hash = digestOf(bytes);
    if (this.has(hash)) return hash;
    this.#draft ??= new Draft(this.folder);
    this.#draft.add(hash, encodeObject(bytes));
    return hash;
  }

  /** Writes what was taken; it is durable then. */
  flush(): void {
    const draft = this.#draft;
    if (!draft) return;
    this.#draft = undefined;
    const pack = draft.finish();
    this.#packs?.push(pack);
    this.#place(pack);
  }

  /** An object; undefined where it is gone or its bytes are not those that were taken. */
  load(hash: string): Uint8Array | undefined {
    this.flush();
    this.packs();
    const place = this.#places.get(hash);
    const stored = place && readRange(join(this.folder, place.pack + PACK_END), place.slot);
    if (!place || !stored) return undefined;
    try {
      const bytes = decodeObject(stored, place.slot.deflated);
      return digestOf(bytes) === hash ? bytes : undefined;
    } catch (error) {
      // Bytes that do not inflate: torn.
      if (error instanceof Error && "code" in error) return undefined;
      throw error;
    }
  }

  /** Takes the objects of `live` in a pack anew, so that the pack can be dropped after a flush. */
  rewrite(pack: Pack, live: ReadonlySet<string>): void {
    const path = join(this.folder, pack.name + PACK_END);
    for (const [hash, slot] of pack.slots) {
      if (!live.has(hash) || this.#draft?.slots.has(hash)) continue;
      const bytes = readRange(path, slot);
      if (!bytes) continue;
      this.#draft ??= new Draft(this.folder);
      this.#draft.add(hash, { bytes, deflated: slot.deflated });
    }
  }

  /** Removes packs; objects that are wanted still must have been moved, and flushed. */
  drop(packs: readonly Pack[]): void {
    const gone = new Set(packs.map(({ name }) => name));
    for (const name of gone) {
      removeIfThere(join(this.folder, name + INDEX_END));
      removeIfThere(join(this.folder, name + PACK_END));
    }
    const left = this.packs().filter(({ name }) => !gone.has(name));
    this.#packs = left;
    this.#places.clear();
    for (const pack of left) this.#place(pack);
  }

  #place({ name, slots }: Pack): void {
    for (const [hash, slot] of slots) this.#places.set(hash, { pack: name, slot });
  }
}

/** A pack that is being written. */
class Draft {
  readonly slots = new Map<string, Slot>();
  readonly #folder: string;
  readonly #name = crypto.randomUUID();
  readonly #path: string;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #size = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, this.#name + PACK_END);
  }

  add(hash: string, { bytes, deflated }: { bytes: Uint8Array; deflated: boolean }): void {
    this.slots.set(hash, { offset: this.#size, length: bytes.length, deflated });
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#size += bytes.length;
    if (this.#waitingBytes >= BUFFER_BYTES) this.#write();
  }

  finish(): Pack {
    this.#write();
    const index = join(this.#folder, this.#name + INDEX_END);
    syncFile(this.#path);
    Deno.writeFileSync(index + DRAFT_END, encodeIndex(this.slots), { mode: 0o600 });
    syncFile(index + DRAFT_END);
    Deno.renameSync(index + DRAFT_END, index);
    return { name: this.#name, size: this.#size, slots: this.slots };
  }

  #write(): void {
    Deno.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const bytes = joined(this.#waiting, this.#waitingBytes);
    Deno.writeFileSync(this.#path, bytes, { append: true, mode: 0o600 });
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

/** What a later start takes for stored must outlive a power cut. */
function syncFile(path: string): void {
  using file = Deno.openSync(path, { write: true });
  file.syncDataSync();
}

/** Removes files of packs that were never finished; to be called when nobody else writes. */
export function removeUnfinished(folder: string): void {
  const names = namesIn(folder);
  const finished = new Set(names.filter((name) => name.endsWith(INDEX_END)).map(stemOf));
  for (const name of names) {
    if (name.endsWith(DRAFT_END) || !finished.has(stemOf(name))) removeIfThere(join(folder, name));
  }
}

function packsIn(folder: string): Pack[] {
  return namesIn(folder).filter((name) => name.endsWith(INDEX_END)).map(stemOf).flatMap((name) => {
    const index = readIfThere(join(folder, name + INDEX_END));
    return index
      ? [{ name, size: sizeOf(join(folder, name + PACK_END)), slots: decodeIndex(index) }]
      : [];
  });
}

function stemOf(name: string): string {
  return name.slice(0, name.indexOf("."));
}

function namesIn(folder: string): string[] {
  return orUndefined(() => [...Deno.readDirSync(folder)].map(({ name }) => name)) ?? [];
}

function readIfThere(path: string): Uint8Array | undefined {
  return orUndefined(() => Deno.readFileSync(path));
}

function sizeOf(path: string): number {
  return orUndefined(() => Deno.statSync(path).size) ?? 0;
}

function removeIfThere(path: string): void {
  orUndefined(() => Deno.removeSync(path));
}

function readRange(path: string, { offset, length }: Slot): Uint8Array | undefined {
  return orUndefined(() => {
    using file = Deno.openSync(path);
    file.seekSync(offset, Deno.SeekMode.Start);
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const count = file.readSync(bytes.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  });
}

/** Undefined where a file is not there. */
function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
