import { basename, dirname, join } from "node:path";
import type { FileContent, ReadFiles } from "../sandbox/files.ts";
import { type NotEdited, notEditedValue } from "./edit_result.ts";
import { withNearestNames } from "./nearest_name.ts";

/** What it takes to look at places. */
export type Files = Pick<ReadFiles, "read" | "stat" | "list">;

/** A path, and what lies there. */
export interface Place {
  /** Absolute; two paths that lead to one file have the same. */
  readonly path: string;
  readonly shown: string;
  readonly content: FileContent | undefined;
}

/** Looks at a path where a file is, or may be made. */
export async function findPlace(files: Files, path: string): Promise<Place | NotEdited> {
  const read = await files.read(path);
  if (read.ok) {
    const { facts, version, bytes } = read;
    return { path: facts.real, shown: facts.path, content: { facts, version, bytes } };
  }
  if (read.reason !== "not_a_file" || (await files.stat(path)).ok) return notEditedValue(read);
  const made = await pathToMake(files, path);
  return made.ok ? { path: made.path, shown: path, content: undefined } : made;
}

/** The absolute path of a file that is not there, by its nearest folder that is. */
export async function pathToMake(
  files: Pick<ReadFiles, "stat">,
  path: string,
): Promise<{ readonly ok: true; readonly path: string } | NotEdited> {
  if (path.endsWith("/")) return notAFolder(path, `${path} names a folder: give a file's name`);
  let rest = basename(path);
  for (let folder = dirname(path);; folder = dirname(folder)) {
    const found = await files.stat(folder);
    if (found.ok) {
      return found.facts.kind === "folder"
        ? { ok: true, path: join(found.facts.real, rest) }
        : notAFolder(path, `${path} cannot be made: ${folder} is a file`);
    }
    if (folder === dirname(folder)) return { ok: true, path };
    rest = join(basename(folder), rest);
  }
}

function notAFolder(path: string, message: string): NotEdited {
  return notEditedValue({ ok: false, reason: "not_a_folder", path, message });
}

/** The refusal of a path where no file is, with names like it. */
export async function missing(files: Files, path: string): Promise<NotEdited> {
  const message = `${path} is not there`;
  const refusal = { ok: false, reason: "not_a_file", path, message } as const;
  return notEditedValue(await withNearestNames(files, refusal));
}

/** Whether the path itself is a link, wherever it leads. */
export async function isLink(files: Files, path: string): Promise<boolean> {
  const listed = await files.list(dirname(path));
  return listed.ok &&
    listed.entries.some(({ name, kind }) => name === basename(path) && kind === "link");
}

/** The refusal to remove, make or move a link. */
export function link(path: string): NotEdited {
  const message = `${path} is a link: change links by bash, or name what it leads to`;
  return notEditedValue({ ok: false, reason: "not_a_file", path, message });
}
