import { resolve } from "node:path";
import { recogniseFile } from "../../tools/file_signature.ts";
import { UsageError } from "../command_line/parse.ts";
import { reasonOf } from "../session/error.ts";

/** The largest text that becomes part of a prompt, in bytes; of larger files the model reads parts. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** The words of a command line, what their `@file` bring apart. */
export interface PromptWords {
  readonly words: readonly string[];
  /** Texts of files, each in a block that names it. */
  readonly blocks: readonly string[];
  /** Paths of images, absolute. */
  readonly images: readonly string[];
}

/**
 * Reads what `@file` words name, from `cwd`; a word that begins with `@@` means one `@`.
 * @throws {UsageError} where a file is not there, too large, or neither text nor an image.
 */
export async function readPromptFiles(
  operands: readonly string[],
  cwd: string,
): Promise<PromptWords> {
  const words: string[] = [];
  const blocks: string[] = [];
  const images: string[] = [];
  for (const word of operands) {
    if (!word.startsWith("@") || word === "@") words.push(word);
    else if (word.startsWith("@@")) words.push(word.slice(1));
    else {
      const name = word.slice(1);
      const path = resolve(cwd, name);
      const bytes = await readBytes(path, name);
      if (recogniseFile(bytes)?.kind === "image") images.push(path);
      else blocks.push(fileBlock(name, bytes));
    }
  }
  return { words, blocks, images };
}

/**
 * The text of a file as a part of a prompt, in a block that names it.
 * @throws {UsageError} where it is too large, or no text.
 */
export function fileBlock(name: string, bytes: Uint8Array): string {
  return `<file path=${JSON.stringify(name)}>\n${textOf(bytes, name)}\n</file>`;
}

async function readBytes(path: string, name: string): Promise<Uint8Array> {
  try {
    const { isFile } = await Deno.stat(path);
    if (!isFile) throw cannot(name, "it is no file");
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const missing = error instanceof Deno.errors.NotFound;
    throw cannot(name, missing ? "there is no such file, @@ means a plain @" : reasonOf(error));
  }
}

function textOf(bytes: Uint8Array, name: string): string {
  if (bytes.length > MAX_TEXT_BYTES) {
    throw cannot(name, "it is over 1 MB, name it in the prompt and let the model read parts");
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text.replace(/\n$/, "");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw cannot(name, "it is neither UTF-8 text nor an image");
}

function cannot(name: string, why: string): UsageError {
  return new UsageError(`Cannot attach "${name}": ${why}`);
}
