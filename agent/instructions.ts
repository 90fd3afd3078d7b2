import { dirname, join } from "node:path";

/** The most that all AGENTS.md files together may bring, in bytes (agents.md as codex reads it). */
export const MAX_INSTRUCTION_BYTES = 32 * 1024;

/** In each folder the first of these that is there and not empty counts. */
export const INSTRUCTION_NAMES = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"];

/** The look at files that finding instructions takes. */
export interface InstructionFiles {
  /** Whether a path, file or folder, is there; false also where it may not be looked at. */
  exists(path: string): Promise<boolean>;
  /** The text of a regular file below `root`, links resolved; undefined where there is none. */
  readText(path: string, root: string): Promise<string | undefined>;
}

/** What a project tells agents, ready for the system prompt. */
export interface Instructions {
  /** Every file with its path before it, the most general first; empty where there is none. */
  readonly text: string;
  readonly paths: readonly string[];
  /** Whether the working folder lies in a git repository. */
  readonly inRepository: boolean;
  /** Something was left out at {@linkcode MAX_INSTRUCTION_BYTES}. */
  readonly truncated: boolean;
}

/**
 * Gathers the person's own instructions, then those from the project's root (the nearest parent
 * with `.git`; without one the working folder alone) down to the working folder.
 */
export async function gatherInstructions(
  cwd: string,
  configFolder: string | undefined,
  files: InstructionFiles,
): Promise<Instructions> {
  const repository = await repositoryRoot(cwd, files);
  const root = repository ?? cwd;
  const sections: { path: string; text: string }[] = [];
  if (configFolder !== undefined) {
    sections.push(...await firstOf(configFolder, configFolder, files));
  }
  for (const folder of foldersBetween(root, cwd)) {
    sections.push(...await firstOf(folder, root, files));
  }
  return { ...withinLimit(sections), inRepository: repository !== undefined };
}

async function repositoryRoot(cwd: string, files: InstructionFiles): Promise<string | undefined> {
  for (let folder = cwd;; folder = dirname(folder)) {
    if (await files.exists(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function foldersBetween(root: string, cwd: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== root; folder = dirname(folder)) {
    folders.unshift(dirname(folder));
  }
  return folders;
}

async function firstOf(
  folder: string,
  root: string,
  files: InstructionFiles,
): Promise<{ path: string; text: string }[]> {
  for (const name of INSTRUCTION_NAMES) {
    const path = join(folder, name);
    const text = await files.readText(path, root);
    // A byte order mark is no text, and neither are blanks.
    const content = text?.replace(/^\uFEFF/, "").trim();
    if (content) return [{ path, text: content }];
  }
  return [];
}

function withinLimit(
  sections: readonly { path: string; text: string }[],
): Omit<Instructions, "inRepository"> {
  const kept: string[] = [];
  let bytes = 0;
  let truncated = false;
  for (const { path, text } of sections) {
    const encoded = new TextEncoder().encode(text);
    const room = MAX_INSTRUCTION_BYTES - bytes;
    bytes += Math.min(encoded.length, room);
    truncated ||= encoded.length > room;
    if (room <= 0) continue;
    // A character that the cut tears is dropped with it.
    const fitting = encoded.length <= room
      ? text
      : new TextDecoder().decode(encoded.subarray(0, room)).replace(/\uFFFD+$/, "");
    kept.push(`From ${path}:\n${fitting}`);
  }
  if (truncated) kept.push(`[instructions cut at ${MAX_INSTRUCTION_BYTES / 1024} KiB]`);
  return { text: kept.join("\n\n"), paths: sections.map(({ path }) => path), truncated };
}
