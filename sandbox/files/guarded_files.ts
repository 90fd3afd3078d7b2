import { basename, dirname, join, resolve } from "node:path";
import type { Answer, Refusal } from "./answer.ts";
import { factsOf, readContent } from "./content.ts";
import { createContent } from "./create.ts";
import {
  type Extent,
  type FileFacts,
  MAX_FILE_BYTES,
  type WalkQuery,
  type WriteFiles,
} from "./files.ts";
import {
  createGuard,
  type GuardOptions,
  type GuardReason,
  type Place,
  refuse,
  type Right,
  type Roots,
} from "./guard.ts";
import { listFolder } from "./list.ts";
import { realPath } from "./real_path.ts";
import { readManyFiles } from "./read_many.ts";
import { removeContent, replaceContent } from "./replace.ts";
import type { RunRipgrep } from "./ripgrep.ts";
import { searchTree, showBelow } from "./search_tree.ts";
import { surveyFiles } from "./survey.ts";
import { unlessMissing } from "./system_errors.ts";
import { createTurns } from "./turns.ts";
import { walkFiles } from "./walk.ts";

export interface FilesOptions extends GuardOptions {
  /** Searches by ripgrep; without it our own search does, with the same answers. */
  readonly search?: RunRipgrep;
}

/** The capability `files` in this process, behind a guard that compares real paths. */
export function createFiles(options: FilesOptions): WriteFiles {
  const guard = createGuard(options);
  const turns = createTurns();

  /** Resolves the path and acts on its place; what Deno's flags refuse is an answer, too. */
  async function at<T extends { ok: boolean }>(
    path: string,
    right: Right,
    act: (place: Place) => Promise<T>,
  ): Promise<T | Refusal<GuardReason>> {
    try {
      const resolved = await guard.resolve(path, right);
      return resolved.ok ? await act(resolved.place) : resolved;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
      return refuse(path, "denied", `is not granted to this process: ${error.message}`);
    }
  }

  return {
    stat: (path) => at(path, "read", stat),
    read: (path, { maxBytes = MAX_FILE_BYTES } = {}) =>
      at(path, "read", (place) => readContent(place, maxBytes)),
    list: (path) => at(path, "read", listFolder),
    walk: (query) => at(query.path, "read", (place) => walk(place, options.roots, query)),
    search: (query) =>
      at(
        query.path,
        "read",
        async (place) =>
          searchTree(place, await topOf(place, options.roots), query, options.search),
      ),
    survey: (path) =>
      at(
        path,
        "read",
        (place) =>
          inFolder(place, async () => surveyFiles(place, await topOf(place, options.roots))),
      ),
    readMany: (query) =>
      at(query.folder, "read", (place) =>
        inFolder(place, async () => ({
          items: await readManyFiles(place, {
            ...query,
            maxBytes: Math.min(query.maxBytes, MAX_FILE_BYTES),
            maxFileBytes: Math.min(query.maxFileBytes, MAX_FILE_BYTES),
          }),
        }))),
    create: (path, bytes, { mode } = {}) =>
      at(path, "write", (place) => turns.take(place.real, () => createContent(place, bytes, mode))),
    replace: (path, expected, splices) =>
      at(
        path,
        "write",
        (place) => turns.take(place.real, () => replaceContent(place, expected, splices)),
      ),
    remove: (path, expected) =>
      at(path, "write", async (place) => {
        const entry = await ownEntry(place);
        const own = await guard.resolve(dirname(entry), "write");
        if (!own.ok) return { ...own, path };
        return turns.take(place.real, () => removeContent(place, entry, expected));
      }),
  };
}

async function walk(
  place: Place,
  roots: Roots,
  query: WalkQuery,
): Promise<Answer<{ paths: string[]; total: number } & Extent>> {
  const { path: _, limit, ...wanted } = query;
  return await inFolder(place, async () => {
    const { real } = place;
    const walked = await walkFiles({ real, top: await topOf(place, roots), ...wanted });
    const { files, stopped, unreadable } = walked;
    const paths = files.slice(0, limit).map((path) => showBelow(place, path));
    return { paths, total: files.length, stopped, unreadable };
  });
}

/** What `look` finds, where the place is a folder. */
async function inFolder<T>(place: Place, look: () => Promise<T>): Promise<Answer<T>> {
  const found = await unlessMissing(Deno.lstat(place.real));
  if (!found) return refuse(place.given, "not_a_folder", "is not there");
  if (!found.isDirectory) return refuse(place.given, "not_a_folder", "is not a folder");
  return { ok: true, ...await look() };
}

/** From where ignore files count: the workspace for what lies in it, else the place itself. */
async function topOf({ real }: Place, { workspace }: Roots): Promise<string> {
  const top = await realPath(resolve(workspace));
  return real === top || real.startsWith(`${top}/`) ? top : real;
}

async function stat(place: Place): Promise<Answer<{ facts: FileFacts }>> {
  const found = await unlessMissing(Deno.lstat(place.real));
  if (!found) return refuse(place.given, "not_a_file", "is not there");
  return { ok: true, facts: factsOf(place, found) };
}

/** The name itself and not what it leads to: removing a link leaves its target alone. */
async function ownEntry({ absolute }: Place): Promise<string> {
  return join(await realPath(dirname(absolute)), basename(absolute));
}
