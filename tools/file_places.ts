import { basename, dirname, join } from "node:path";
import type { FileContent, ReadFiles } from "../sandbox/files/files.ts";
import { type NotEdited, notEditedValue } from "./edit_result.ts";
import { problemOfNewName, shownName } from "./new_name.ts";
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

/** What lies at a path where a file is, or can be made. */
export type Looked =
  | { readonly kind: "file"; readonly content: FileContent }
  /** Nothing is there; `path` is absolute. */
  | { readonly kind: "free"; readonly path: string }
  | { readonly kind: "refused"; readonly refusal: NotEdited };

/** Looks at a path where a file is, or may be made. */
export async function lookAt(
  files: Pick<ReadFiles, "read" | "stat">,
  path: string,
): Promise<Looked> {
  let read = await files.read(path);
  if (!read.ok && read.reason === "not_a_file") {
    const there = await files.stat(path);
    if (!there.ok) return await pathToMake(files, path);
    // It came between the two looks.
    if (there.facts.kind === "file") read = await files.read(path);
  }
  if (!read.ok) return { kind: "refused", refusal: notEditedValue(read) };
  const { facts, version, bytes } = read;
  return { kind: "file", content: { facts, version, bytes } };
}

/** The place of a path where a file is, or may be made. */
export async function findPlace(files: Files, path: string): Promise<Place | NotEdited> {
  const looked = await lookAt(files, path);
  switch (looked.kind) {
    case "file": {
      const { content } = looked;
      return { path: content.facts.real, shown: content.facts.path, content };
    }
    case "free":
      return { path: looked.path, shown: path, content: undefined };
    case "refused":
      return looked.refusal;
  }
}

/** The absolute path of a file that is not there, by its nearest folder that is. */
async function pathToMake(files: Pick<ReadFiles, "stat">, path: string): Promise<Looked> {
  if (path.endsWith("/")) return notAFolder(path, `${path} names a folder: give a file's name`);
  let rest = basename(path);
  for (let folder = dirname(path);; folder = dirname(folder)) {
    const found = await files.stat(folder);
    if (found.ok) {
      if (found.facts.kind !== "folder") {
        return notAFolder(path, `${path} cannot be made: ${folder} is a file`);
      }
      // What is there already may be called as it likes.
      const problem = problemOfNewName(rest);
      return problem === undefined
        ? { kind: "free", path: join(found.facts.real, rest) }
        : refused(path, "bad_name", `${shownName(path)} ${problem}`);
    }
    if (folder === dirname(folder)) return { kind: "free", path };
    rest = join(basename(folder), rest);
  }
}

function notAFolder(path: string, message: string): Looked {
  return refused(path, "not_a_folder", message);
}

function refused(path: string, reason: string, message: string): Looked {
  return { kind: "refused", refusal: notEditedValue({ ok: false, reason, path, message }) };
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
