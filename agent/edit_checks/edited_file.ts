import { relative, resolve } from "node:path";
import { decodeText } from "../../edit/encoding.ts";
import type { ReadFiles } from "../../sandbox/files/files.ts";
import { isOfSystem } from "../../sandbox/files/system_errors.ts";
import { isInside } from "../../sandbox/rights/grants.ts";
import type { Plan } from "../../tools/tool.ts";

/** A file that a call is to change. */
export interface EditedFile {
  /** Absolute, as commands name it. */
  readonly path: string;
  /** Relative to the workspace, with `/`. */
  readonly name: string;
}

/** A file's text, and what it was by its hash; undefined where there is none, or no text. */
export interface FileText {
  readonly text: string;
  readonly hash: string;
}

/** Files of one call that are checked, at the most: a change of hundreds is no edit. */
const MAX_FILES = 20;

/** A longer file is not checked, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The files of the workspace that a call writes, as its plan says. */
export function editedFiles(
  { touches }: Pick<Plan, "touches">,
  cwd: string,
  workspace: string,
): EditedFile[] {
  const paths = touches.flatMap((touch) => touch.kind === "write" ? [touch.path] : []);
  const absolute = new Set(paths.map((path) => resolve(cwd, path)));
  return [...absolute].slice(0, MAX_FILES)
    .filter((path) => path !== workspace && isInside(path, workspace))
    .map((path) => ({ path, name: relative(workspace, path) }));
}

/** The text of a file as it is now; one that cannot be read has none. */
export async function textOfFile(
  files: Pick<ReadFiles, "read">,
  path: string,
): Promise<FileText | undefined> {
  const read = await readOrNothing(files, path);
  if (!read?.ok) return undefined;
  const decoded = decodeText(read.bytes);
  return decoded.ok ? { text: decoded.text, hash: read.version.hash } : undefined;
}

/** An edit that has landed is told as such, whatever a formatter made of the file's rights. */
async function readOrNothing(files: Pick<ReadFiles, "read">, path: string) {
  try {
    return await files.read(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (isOfSystem(error)) return undefined;
    throw error;
  }
}
