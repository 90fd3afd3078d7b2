import { byteSize } from "../byte_size.ts";
import { decodeDocument } from "./charset.ts";
import type { DocumentHint, Reading, WebDocument } from "./document.ts";
import { mediaOf } from "./media.ts";

/** Longer texts are cut, in characters: more than this nobody pages through. */
const MAX_TEXT = 4_000_000;

/**
 * Makes text of what a server sent: Markdown of a page, the text of a PDF, a feed's entries, JSON
 * with a line for each entry, other text as it is. Pure, but for loading what it needs.
 * @throws what a library throws that meets a document which its authors never met.
 */
export async function readDocument(bytes: Uint8Array, hint: DocumentHint): Promise<Reading> {
  const media = mediaOf(bytes, hint.contentType);
  switch (media.kind) {
    case "image":
      return { ok: false, reason: "image", message: notText(media.what, bytes) };
    case "binary":
      return { ok: false, reason: "binary", message: notText(media.what, bytes) };
    case "pdf": {
      if (hint.cut) {
        const message = `it is a PDF longer than the ${byteSize(bytes.length)} that are fetched`;
        return { ok: false, reason: "broken", message };
      }
      const { pdfDocument } = await import("./pdf.ts");
      return await pdfDocument(bytes);
    }
  }
  const { text, charset } = decodeDocument(bytes, hint.contentType);
  const document = hint.raw ? plain(text) : await readable(media.kind, text, hint);
  return bounded({ ...document, charset });
}

async function readable(
  kind: "html" | "xml" | "json" | "text",
  text: string,
  hint: DocumentHint,
): Promise<WebDocument> {
  switch (kind) {
    case "html": {
      if (hint.form === "duckduckgo") {
        const { duckduckgoHits } = await import("./duckduckgo_page.ts");
        return { ok: true, kind: "json", text: duckduckgoHits(text, hint.url), notes: [] };
      }
      if (hint.form === "google") {
        const { googleHits } = await import("./google_page.ts");
        return { ok: true, kind: "json", text: googleHits(text, hint.url), notes: [] };
      }
      const { htmlDocument } = await import("./html.ts");
      return htmlDocument(text, hint.url);
    }
    case "xml": {
      const { xmlDocument } = await import("./xml.ts");
      return xmlDocument(text, hint.url) ?? plain(text);
    }
    case "json": {
      const { jsonDocument } = await import("./json_document.ts");
      return jsonDocument(text, hint);
    }
    case "text":
      return plain(text);
  }
}

function plain(text: string): WebDocument {
  return { ok: true, kind: "text", text, notes: [] };
}

function bounded(document: WebDocument): WebDocument {
  const { text, notes } = document;
  if (text.length <= MAX_TEXT) return document;
  return {
    ...document,
    text: text.slice(0, MAX_TEXT).toWellFormed(),
    notes: [...notes, `only its first ${MAX_TEXT} characters were read`],
  };
}

function notText(what: string, { length }: Uint8Array): string {
  return `it is no text: ${what}, ${byteSize(length)}`;
}
