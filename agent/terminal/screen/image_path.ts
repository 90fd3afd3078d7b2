import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { recogniseFile } from "../../../tools/file_signature.ts";

/** Names of files that models take as images. */
const IMAGE_NAME = /\.(?:png|jpe?g|webp|gif)$/i;

/** No path is longer, in characters. */
const MAX_PATH_CHARS = 4096;

/** Enough of a file to know what it is, in bytes. */
const SIGNATURE_BYTES = 64;

/**
 * The path that a pasted text is, if it looks like that of an image: terminals paste a file that is
 * dropped on them as its path, in quotes or with backslashes. Absolute. Pure.
 */
export function imagePathIn(
  text: string,
  cwd: string,
  home: string | undefined,
): string | undefined {
  const line = text.trim();
  if (line === "" || line.length > MAX_PATH_CHARS || line.includes("\n")) return undefined;
  const path = unquoted(line);
  if (path === undefined || !IMAGE_NAME.test(path)) return undefined;
  if (path.startsWith("~/")) return home === undefined ? undefined : join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** Whether an image lies there that can be attached. */
export async function isImage(path: string): Promise<boolean> {
  try {
    using file = await Deno.open(path);
    const head = new Uint8Array(SIGNATURE_BYTES);
    const count = await file.read(head);
    return recogniseFile(head.subarray(0, count ?? 0))?.kind === "image";
  } catch (error) {
    // Then it is text that somebody pasted.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Undefined where it is more than one word. */
function unquoted(line: string): string | undefined {
  const [, quoted] = /^'([^']+)'$/.exec(line) ?? /^"([^"\\$`]+)"$/.exec(line) ?? [];
  if (quoted !== undefined) return quoted;
  if (line.startsWith("file://")) return URL.canParse(line) ? fromUrl(new URL(line)) : undefined;
  if (/(?<!\\)\s/.test(line)) return undefined;
  return line.replaceAll(/\\(.)/g, "$1");
}

function fromUrl(url: URL): string | undefined {
  return url.host === "" ? fileURLToPath(url) : undefined;
}
