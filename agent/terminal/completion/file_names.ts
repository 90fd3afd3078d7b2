import { relative, resolve } from "node:path";
import type { ReadFiles } from "../../../sandbox/files/files.ts";

/** Names of files to propose. */
export interface FileNames {
  /** Files of the workspace, paths from there, ignore files respected; some seconds old at most. */
  list(): Promise<readonly string[]>;
}

/** What the names are taken from: an agent is one. */
export interface FileNamesPlace {
  readonly files: Pick<ReadFiles, "stat" | "walk">;
  /** `cwd`: the workspace. */
  readonly started: { readonly cwd: string };
}

/** Files that are known by name, at the most; a larger workspace is known in part. */
const MAX_FILES = 50_000;

/** A list is taken anew after so long, in milliseconds: files come while the agent works. */
const FRESH_MS = 3_000;

/**
 * Lists what the agent of the moment can see; `place` is asked for it anew each time. While a list
 * is taken, whoever asks gets the one before.
 */
export function fileNames(place: () => FileNamesPlace, now: () => number): FileNames {
  let known: { readonly cwd: string; readonly names: readonly string[]; readonly at: number };
  known = { cwd: "", names: [], at: -Infinity };
  let taking: Promise<void> | undefined;
  async function take(at: FileNamesPlace): Promise<void> {
    const { cwd } = at.started;
    const [walked, here] = await Promise.all([
      at.files.walk({ path: cwd, limit: MAX_FILES }),
      at.files.stat("."),
    ]);
    const paths = walked.ok ? walked.paths : [];
    // Paths are told as the shell's folder sees them, and it may have moved.
    const folder = here.ok ? here.facts.real : cwd;
    const names = paths.map((path) => relative(cwd, resolve(folder, path)));
    known = { cwd, names, at: now() };
  }
  return {
    async list() {
      const at = place();
      const isOther = known.cwd !== at.started.cwd;
      if (isOther || now() - known.at > FRESH_MS) {
        taking ??= take(at).finally(() => taking = undefined);
        if (isOther) await taking;
        else taking.catch(() => {});
      }
      return known.names;
    },
  };
}
