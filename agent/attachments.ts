import { basename, resolve } from "node:path";
import { recogniseFile } from "../tools/file_signature.ts";
import type { Content } from "../tools/tool.ts";
import { UsageError } from "./command_line/parse.ts";
import type { Blobs } from "./session/blobs.ts";

/** The largest image that is attached, in bytes: OpenAI takes 20 MB a file. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

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
    const bytes = await readImage(resolve(cwd, path));
    const signature = recogniseFile(bytes);
    if (signature?.kind !== "image") {
      throw new UsageError(`Cannot attach "${path}": it is no PNG, JPEG, WebP or GIF image`);
    }
    const saved = await blobs.save(basename(path), bytes);
    return { type: "image", blob: basename(saved ?? path), mediaType: signature.mediaType };
  }));
}

async function readImage(path: string): Promise<Uint8Array> {
  try {
    const { size, isFile } = await Deno.stat(path);
    if (!isFile) throw new UsageError(`Cannot attach "${path}": it is no file`);
    if (size > MAX_IMAGE_BYTES) {
      throw new UsageError(`Cannot attach "${path}": over ${MAX_IMAGE_BYTES / 2 ** 20} MB`);
    }
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!(error instanceof Error)) throw error;
    const why = error instanceof Deno.errors.NotFound ? "there is no such file" : error.message;
    throw new UsageError(`Cannot attach "${path}": ${why}`);
  }
}
