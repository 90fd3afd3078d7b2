import { basename, resolve } from "node:path";
import { recogniseFile } from "../tools/file_signature.ts";
import type { Content } from "../tools/tool.ts";
import { UsageError } from "./command_line/parse.ts";
import type { Blobs } from "./session/blobs.ts";

/** The largest image that is attached, in bytes: OpenAI takes 20 MB a file. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/**
 * Keeps the images that a person named with the session, as parts of a prompt.
 * @throws {UsageError} where a file is not there, too large, or no image that models take.
 */
export function attachImages(
  paths: readonly string[],
  cwd: string,
  blobs: Blobs,
): Promise<Content[]> {
  return Promise.all(paths.map(async (path) => {
    return await keepImage(path, await readImage(resolve(cwd, path)), blobs);
  }));
}

/**
 * Keeps an image with the session, as a part of a prompt.
 * @throws {UsageError} where the bytes are no image that models take, or too many.
 */
export async function keepImage(path: string, bytes: Uint8Array, blobs: Blobs): Promise<Content> {
  const signature = recogniseFile(bytes);
  if (signature?.kind !== "image") {
    throw new UsageError(`Cannot attach "${path}": it is no PNG, JPEG, WebP or GIF image`);
  }
  if (bytes.length > MAX_IMAGE_BYTES) throw tooLarge(path);
  const saved = await blobs.save(basename(path), bytes);
  return { type: "image", blob: basename(saved ?? path), mediaType: signature.mediaType };
}

function tooLarge(path: string): UsageError {
  return new UsageError(`Cannot attach "${path}": over ${MAX_IMAGE_BYTES / 2 ** 20} MB`);
}

async function readImage(path: string): Promise<Uint8Array> {
  try {
    const { size, isFile } = await Deno.stat(path);
    if (!isFile) throw new UsageError(`Cannot attach "${path}": it is no file`);
    if (size > MAX_IMAGE_BYTES) throw tooLarge(path);
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!(error instanceof Error)) throw error;
    const why = error instanceof Deno.errors.NotFound ? "there is no such file" : error.message;
    throw new UsageError(`Cannot attach "${path}": ${why}`);
  }
}
