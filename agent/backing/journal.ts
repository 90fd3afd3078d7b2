import { join } from "node:path";
import { removeIfThere } from "../../sandbox/files/temporary_file.ts";
import type { Journal, JournalEntry, JournalRecord } from "../../tools/tool.ts";
import { encodeRecord } from "./journal_record.ts";

/** Keeps nothing: a change of several files is whole or undone unless the process dies in it. */
export const NO_JOURNAL: Journal = {
  begin: () =>
    Promise.resolve({ end: () => Promise.resolve(), [Symbol.asyncDispose]: async () => {} }),
};

/** Ends of names in a journal's folder: whole records, and those still being written. */
export const RECORD_END = ".json";
export const DRAFT_END = ".draft";

/**
 * A journal in a folder, which is made when it is first needed. A record is readable for its owner
 * alone, and locked while its change is under way, so that another start leaves it alone.
 */
export function createJournal(folder: string): Journal {
  return { begin: (entries) => begin(folder, entries) };
}

async function begin(folder: string, entries: readonly JournalEntry[]): Promise<JournalRecord> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const name = crypto.randomUUID();
  const draft = join(folder, name + DRAFT_END);
  const record = join(folder, name + RECORD_END);
  const file = await Deno.open(draft, { write: true, createNew: true, mode: 0o600 });
  try {
    // Locked before it has its name: from then on it is a record that another start would undo.
    await file.lock(true);
    await writeAll(file, encodeRecord(entries));
    await file.sync();
    await Deno.rename(draft, record);
    await syncFolder(folder);
  } catch (error) {
    file.close();
    await removeIfThere(draft);
    await removeIfThere(record);
    throw error;
  }
  return openRecord(record, file);
}

function openRecord(path: string, file: Deno.FsFile): JournalRecord {
  return {
    end: () => Deno.remove(path),
    [Symbol.asyncDispose]: () => Promise.resolve(file.close()),
  };
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

/** A new name in a folder is durable once the folder itself is. */
async function syncFolder(folder: string): Promise<void> {
  using handle = await Deno.open(folder);
  await handle.sync();
}
