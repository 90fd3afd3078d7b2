import { type Hunk, parseHunks, parseItems, type PatchItem } from "./hunk_grammar.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";

/** Hunks of one file; another entry may have more of them. */
export interface FileHunks {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

const HEADER = /^=== PATH: (.*?) ===[ \t]*$/;

/** Reads the list form: one patch for each entry. */
export function parseList(
  patches: readonly { readonly path: string; readonly patch: string }[],
): readonly FileHunks[] | Refusal {
  if (patches.length === 0) return refuse("malformed", "the list of patches is empty");
  const files: FileHunks[] = [];
  for (const { path, patch } of patches) {
    if (path.trim() === "") return refuse("malformed", "a patch has no path");
    const hunks = parseHunks(patch);
    if (isRefusal(hunks)) return { ...hunks, path };
    files.push({ path, hunks });
  }
  return files;
}

/**
 * Reads the text form: either `=== PATH: p ===` lines before the hunks of each file, or, with paths
 * from elsewhere, exactly one hunk for each path.
 */
export function parseBody(
  body: string,
  paths: readonly string[] = [],
): readonly FileHunks[] | Refusal {
  const items = parseItems(body);
  if (isRefusal(items)) return items;
  if (paths.length > 0) return pairPaths(items, paths);
  const files: { path: string; hunks: Hunk[] }[] = [];
  for (const item of items) {
    if (item.kind === "hunk") {
      const file = files.at(-1);
      if (file === undefined) {
        return refuse("malformed", `line ${item.line}: no path line before it`);
      }
      file.hunks.push(item.hunk);
      continue;
    }
    const path = HEADER.exec(item.text)?.[1]?.trim();
    if (!path) return refuse("malformed", `line ${item.line} stands outside of a hunk`);
    files.push({ path, hunks: [] });
  }
  const empty = files.find(({ hunks }) => hunks.length === 0);
  if (empty !== undefined) return refuse("malformed", `"${empty.path}" has no hunk`);
  return files.length > 0 ? files : refuse("malformed", "the patch has no hunk");
}

function pairPaths(
  items: readonly PatchItem[],
  paths: readonly string[],
): readonly FileHunks[] | Refusal {
  const files: FileHunks[] = [];
  for (const item of items) {
    if (item.kind === "outside") {
      return refuse("malformed", `line ${item.line} stands outside of a hunk`);
    }
    files.push({ path: paths[files.length] ?? "", hunks: [item.hunk] });
  }
  if (files.length === paths.length) return files;
  const counts = `${files.length} hunks for ${paths.length} paths`;
  return refuse(
    "malformed",
    `${counts}: write "=== PATH: p ===" lines for several hunks in a file`,
  );
}
