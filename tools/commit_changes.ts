import { versionOf } from "../sandbox/files/content.ts";
import type { FileVersion, WriteFiles } from "../sandbox/files/files.ts";
import { type NotEdited, notEditedValue } from "./edit_result.ts";
import type { FileChange } from "./file_changes.ts";
import type { Journal, JournalEntry } from "./tool.ts";

/** How a commit ended that wrote nothing; `stale` where a file is not as it was read. */
export type NotCommitted = { readonly kind: "stale" | "refused"; readonly refusal: NotEdited };

/**
 * Writes all changes or none: where one cannot be written, those before it are undone. With a real
 * journal that holds also when the process dies in between, once the next start has looked at it.
 * @throws {Error} where the system does not let a file be written (nothing has changed then), or
 * where an undo failed as well (the message says so, and the journal keeps the old bytes).
 */
export async function commitChanges(
  files: WriteFiles,
  journal: Journal,
  changes: readonly FileChange[],
): Promise<NotCommitted | undefined> {
  await using record = await journal.begin(changes.map(entryOf));
  const done: FileChange[] = [];
  for (const change of changes) {
    const problem = await writeOne(files, change);
    if (problem === undefined) {
      done.push(change);
      continue;
    }
    await undo(files, done);
    await record.end();
    if (problem instanceof Error) throw problem;
    return problem;
  }
  await record.end();
  return undefined;
}

function entryOf({ path, before, after }: FileChange): JournalEntry {
  return {
    path,
    ...(before && { before: { bytes: before.bytes, mode: before.facts.mode } }),
    ...(after && { after: after.bytes }),
  };
}

async function writeOne(
  files: WriteFiles,
  change: FileChange,
): Promise<NotCommitted | Error | undefined> {
  try {
    const answer = await write(files, change);
    if (answer.ok) return undefined;
    const kind = answer.reason === "stale" || answer.reason === "exists" ? "stale" : "refused";
    return { kind, refusal: { ...notEditedValue(answer), path: change.shown } };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return new Error(`Cannot write "${change.shown}": ${why}; none of the files was changed`, {
      cause,
    });
  }
}

async function write(files: WriteFiles, { path, before, after }: FileChange) {
  if (!before) {
    const { bytes = new Uint8Array(), mode } = after ?? {};
    return await files.create(path, bytes, mode === undefined ? {} : { mode });
  }
  if (!after) return await files.remove(path, before.version);
  return await replaceWhole(files, path, before.version, after.bytes);
}

function replaceWhole(files: WriteFiles, path: string, version: FileVersion, bytes: Uint8Array) {
  return files.replace(path, version, [{ start: 0, end: version.size, bytes }]);
}

/** Puts back what was written, last first; the file that could not be written still is as it was. */
async function undo(files: WriteFiles, done: readonly FileChange[]): Promise<void> {
  const left: string[] = [];
  for (const change of done.toReversed()) {
    const problem = await undoOne(files, change);
    if (problem !== undefined) left.push(`${change.shown} (${problem})`);
  }
  if (left.length === 0) return;
  throw new Error(`Cannot undo the change of ${left.join(", ")}: look at these files yourself`);
}

async function undoOne(files: WriteFiles, change: FileChange): Promise<string | undefined> {
  try {
    const answer = await revert(files, change);
    return answer.ok ? undefined : answer.message;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function revert(files: WriteFiles, { path, before, after }: FileChange) {
  if (!after) {
    const { bytes = new Uint8Array(), facts } = before ?? {};
    return await files.create(path, bytes, facts && { mode: facts.mode });
  }
  const written = await versionOf(Uint8Array.from(after.bytes));
  return before
    ? await replaceWhole(files, path, written, before.bytes)
    : await files.remove(path, written);
}
