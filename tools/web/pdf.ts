import type { Reading } from "./document.ts";

/** The text of a document is read so far, in characters: some thousand pages. */
const MAX_TEXT = 4_000_000;

/** Pages with more pieces of text are drawings; the rest of the page is left out. */
const MAX_PIECES = 100_000;

/** A piece of text on a page, as pdf.js gives it. */
interface Piece {
  readonly str: string;
  readonly hasEOL: boolean;
}

/** The text of a PDF, page by page. */
export async function pdfDocument(bytes: Uint8Array): Promise<Reading> {
  const { getDocumentProxy } = await import("unpdf");
  // pdf.js takes the bytes away from who gives them.
  const document = await getDocumentProxy(bytes.slice(), {
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
  });
  const pages: string[] = [];
  let room = MAX_TEXT;
  for (let number = 1; number <= document.numPages && room > 0; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = pageText(items.slice(0, MAX_PIECES).filter((item) => "str" in item));
    page.cleanup();
    pages.push(`## Page ${number}\n\n${text || "(no text)"}`);
    room -= text.length;
  }
  const title = await titleOf(document);
  return {
    ok: true,
    kind: "pdf",
    ...(title && { title }),
    text: pages.join("\n\n"),
    notes: notesOn(document.numPages, pages),
  };
}

function notesOn(count: number, pages: readonly string[]): string[] {
  const empty = pages.every((page) => page.endsWith("(no text)"));
  return [
    ...(pages.length < count ? [`only ${pages.length} of ${count} pages were read`] : []),
    ...(empty ? ["none of its pages holds text, they may be pictures"] : []),
  ];
}

function pageText(pieces: readonly Piece[]): string {
  const text = pieces.map(({ str, hasEOL }) => hasEOL ? `${str}\n` : str).join("");
  return text.replaceAll(/[ \t]+$/gm, "").trim();
}

async function titleOf(
  document: { getMetadata(): Promise<{ readonly info: object }> },
): Promise<string | undefined> {
  const { info } = await document.getMetadata();
  const title = "Title" in info ? info.Title : undefined;
  return typeof title === "string" ? title.trim() : undefined;
}
