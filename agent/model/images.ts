import type { Content } from "../../tools/tool.ts";
import type { WireOptions } from "./wire.ts";

/** A part of a message, with its image loaded. */
export type LoadedPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly url: string };

/** Content with images as data URLs; those that cannot be shown become a line that says so. */
export function loadParts(
  content: readonly Content[],
  options: WireOptions,
): Promise<LoadedPart[]> {
  return Promise.all(content.map((part) => loadPart(part, options)));
}

async function loadPart(part: Content, options: WireOptions): Promise<LoadedPart> {
  if (part.type === "text") return part;
  if (!options.images) return note(`image ${part.blob} not shown: this model takes no images`);
  try {
    const bytes = await options.loadBlob(part.blob);
    return { type: "image", url: `data:${part.mediaType};base64,${bytes.toBase64()}` };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return note(`image ${part.blob} is no longer there`);
  }
}

function note(words: string): LoadedPart {
  return { type: "text", text: `[${words}]` };
}

/** The text of all parts, a line break between two. */
export function joinText(parts: readonly LoadedPart[]): string {
  return parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
}
