import { dirname, join } from "node:path";

/** Prompts that are kept. */
const MAX_ENTRIES = 1_000;

/** A longer prompt is not kept: it is a document, and the session has it. In characters. */
const MAX_ENTRY_CHARS = 32_768;

/** Past this size the file is written anew with the last entries alone, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** The prompts of earlier sessions, in a file of JSON texts, one a line. */
export interface History {
  /** The latest last. */
  entries(): readonly string[];
  /** Keeps a prompt; one that begins with a blank, or was the last anyway, is not kept. */
  add(prompt: string): Promise<void>;
}

/** Reads the history of a state folder; without one, it lasts as long as the process. */
export async function openHistory(state: string | undefined): Promise<History> {
  const path = state && join(state, "history.jsonl");
  const entries = path === undefined ? [] : await load(path);
  return {
    entries: () => entries,
    async add(prompt) {
      if (!isKept(prompt) || entries.at(-1) === prompt) return;
      entries.push(prompt);
      if (entries.length > MAX_ENTRIES) entries.shift();
      if (path !== undefined) await save(path, prompt, entries);
    },
  };
}

function isKept(prompt: string): boolean {
  return prompt.trim() !== "" && !prompt.startsWith(" ") && prompt.length <= MAX_ENTRY_CHARS;
}

async function load(path: string): Promise<string[]> {
  const text = await readText(path);
  const entries = text.split("\n").flatMap(entryOf);
  return entries.slice(-MAX_ENTRIES);
}

/** Two programs may write at once and a disk may fill up, so a line may be torn: it is left out. */
function entryOf(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (isUnreadable(error)) return "";
    throw error;
  }
}

async function save(path: string, prompt: string, entries: readonly string[]): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const line = `${JSON.stringify(prompt)}\n`;
    await Deno.writeTextFile(path, line, { append: true, mode: 0o600 });
    if ((await Deno.stat(path)).size > MAX_BYTES) await rewrite(path, entries);
  } catch (error) {
    // A prompt goes to the model also where it cannot be remembered.
    if (!isUnreadable(error)) throw error;
  }
}

async function rewrite(path: string, entries: readonly string[]): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  const half = withinBytes(entries, MAX_BYTES / 2);
  const lines = half.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  await Deno.writeTextFile(temporary, lines, { createNew: true, mode: 0o600 });
  await Deno.rename(temporary, path);
}

/** The latest entries whose lines come to so many bytes at most. */
function withinBytes(entries: readonly string[], limit: number): readonly string[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  const first = entries.findLastIndex((entry) => {
    bytes += encoder.encode(JSON.stringify(entry)).length + 1;
    return bytes > limit;
  });
  return entries.slice(first + 1);
}

/** What the system refuses, in its many ways. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error &&
    (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.IsADirectory ||
      error instanceof Deno.errors.PermissionDenied || "code" in error);
}
