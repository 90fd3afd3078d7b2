import { extname, join } from "node:path";
import { isInside } from "../../../../sandbox/rights/grants.ts";
import { reasonOf } from "../../../session/error.ts";
import { NAME_PART } from "../typed_line.ts";

/** A file that makes a command. */
export interface CommandFile {
  /** As it is typed: folders before the file's own name, joined by colons. */
  readonly name: string;
  readonly path: string;
}

/** The commands of one folder. */
export interface CommandFolder {
  /** Sorted by name. */
  readonly files: readonly CommandFile[];
  /** Sentences about what could not be taken. */
  readonly warnings: readonly string[];
}

/** Folders below a folder of commands are looked into so deep. */
const MAX_DEPTH = 4;

/** Commands of one folder, at the most: a person remembers fewer. */
const MAX_FILES = 500;

/**
 * Finds the Markdown files below a folder, none where there is no folder. `within`: what a link leads
 * out of this folder to is left out, so that a stranger's project cannot hand over other files.
 */
export async function findCommandFiles(folder: string, within?: string): Promise<CommandFolder> {
  const files: CommandFile[] = [];
  const warnings: string[] = [];
  async function look(at: string, names: readonly string[]): Promise<void> {
    for (const entry of await entriesOf(at, warnings)) {
      const path = join(at, entry);
      const { kind, problem } = await kindOf(path, within);
      if (problem !== undefined) warnings.push(`Cannot use "${path}" as a command: ${problem}`);
      const stem = kind === "folder" ? entry : entry.slice(0, -extname(entry).length);
      if (kind === undefined || (kind === "file" && extname(entry).toLowerCase() !== ".md")) {
        continue;
      }
      if (!NAME_PART.test(stem)) {
        const rule = "a name is letters, digits, _ and -";
        warnings.push(`Cannot use "${path}" as a command: ${rule}`);
      } else if (kind === "folder") {
        if (names.length < MAX_DEPTH) await look(path, [...names, stem]);
      } else if (files.length < MAX_FILES) {
        files.push({ name: [...names, stem].join(":"), path });
      }
    }
  }
  await look(folder, []);
  return { files, warnings };
}

async function entriesOf(folder: string, warnings: string[]): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.startsWith(".")) names.push(name);
    }
  } catch (error) {
    const absent = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.NotCapable;
    if (!absent) warnings.push(`Cannot read commands in "${folder}": ${reasonOf(error)}`);
  }
  return names.sort();
}

interface Kind {
  /** Undefined for what is neither, and for what may not be used. */
  readonly kind?: "file" | "folder";
  readonly problem?: string;
}

async function kindOf(path: string, within: string | undefined): Promise<Kind> {
  try {
    const real = await Deno.realPath(path);
    if (within !== undefined && !isInside(real, within)) {
      return { problem: `it leads to "${real}", outside the project` };
    }
    const { isFile, isDirectory } = await Deno.stat(real);
    if (isFile) return { kind: "file" };
    return isDirectory ? { kind: "folder" } : {};
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}
