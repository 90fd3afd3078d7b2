import type { Answer } from "../../sandbox/files/answer.ts";
import { versionOf } from "../../sandbox/files/content.ts";
import type {
  FileContent,
  FileFacts,
  FileVersion,
  Splice,
  StaleRefusal,
  WriteFiles,
} from "../../sandbox/files/files.ts";
import { refuse } from "../../sandbox/files/guard.ts";
import { applySplices } from "../../sandbox/files/replace.ts";
import type { EditorBuffers } from "./editor_buffers.ts";

type Changed = Answer<{ facts: FileFacts }> | StaleRefusal;

/** What a file holds for its editor: unsaved changes are its content, and are not on the disk. */
interface Held {
  readonly disk: FileContent;
  /** What counts. */
  readonly content: FileContent;
  readonly dirty: boolean;
}

/**
 * Files as their editor has them. What a buffer holds unsaved is what a reader sees and a change
 * starts from. Everything that is written is written to the disk first, through `files` and what
 * guards them, and only then given to the buffer; so an editor is never asked for what `files` would
 * refuse. Lists and searches are those of the disk.
 */
export function editorFiles(
  files: WriteFiles,
  buffers: EditorBuffers,
  signal: AbortSignal = new AbortController().signal,
): WriteFiles {
  async function held(disk: FileContent): Promise<Held> {
    const bytes = await buffers.unsaved(disk, signal);
    if (!bytes) return { disk, content: disk, dirty: false };
    const facts = { ...disk.facts, size: bytes.length };
    return { disk, content: { facts, version: await versionOf(bytes), bytes }, dirty: true };
  }

  return {
    stat: (path) => files.stat(path),
    list: (path) => files.list(path),
    walk: (query) => files.walk(query),
    search: (query) => files.search(query),
    survey: (path) => files.survey(path),
    readMany: (query) => files.readMany(query),
    async read(path, options) {
      const disk = await files.read(path, options);
      return disk.ok ? { ok: true, ...(await held(disk)).content } : disk;
    },
    async create(path, bytes, options) {
      const made = await files.create(path, bytes, options);
      if (made.ok) await buffers.take(made.facts.real, bytes, signal);
      return made;
    },
    async replace(path, expected, splices) {
      const disk = await files.read(path);
      // Whatever is wrong with it, a change of it says so in its own words.
      if (!disk.ok) return await files.replace(path, expected, splices);
      const { dirty, content } = await held(disk);
      const changed = dirty
        ? await overwrite(path, expected, splices, { disk, content })
        : await files.replace(path, expected, splices);
      if (changed.ok && content.version.hash === expected.hash) {
        const bytes = applySplices(content.bytes, splices);
        await buffers.take(changed.facts.real, bytes, signal);
      }
      return changed;
    },
    async remove(path, expected) {
      const disk = await files.read(path);
      if (disk.ok && (await held(disk)).dirty) return unsavedChanges(path);
      return await files.remove(path, expected);
    },
  };

  /** Writes a whole file, with what its buffer holds unsaved. */
  async function overwrite(
    path: string,
    expected: FileVersion,
    splices: readonly Splice[],
    { disk, content }: Pick<Held, "disk" | "content">,
  ): Promise<Changed> {
    if (content.version.hash !== expected.hash) return stale(path, content);
    // Its editor would be left with a buffer that conflicts with the disk.
    if (!buffers.takeTexts) return unsavedChanges(path);
    const bytes = applySplices(content.bytes, splices);
    const whole = { start: 0, end: disk.bytes.length, bytes };
    return await files.replace(path, disk.version, [whole]);
  }
}

function stale(path: string, current: FileContent): StaleRefusal {
  return {
    ...refuse(path, "stale", "changed in the editor since it was read: read it again"),
    current,
  };
}

function unsavedChanges(path: string) {
  const what =
    "has changes in the editor that are not saved: ask for it to be saved, then try again";
  return refuse(path, "denied", what);
}
