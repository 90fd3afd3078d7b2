import type { DocumentHint, Reading, WebDocument } from "../../../tools/web/document.ts";
import { readDocument } from "../../../tools/web/read_document.ts";

/** Reads a text, as a server would send it. */
export function readText(
  text: string,
  contentType: string,
  hint: Partial<DocumentHint> = {},
): Promise<Reading> {
  const bytes = new TextEncoder().encode(text);
  return readDocument(bytes, { url: "https://host.test/dir/page", contentType, ...hint });
}

/** The document that a page is. */
export async function pageOf(html: string): Promise<WebDocument> {
  const read = await readText(html, "text/html");
  if (!read.ok) throw new Error(read.message);
  return read;
}

/** A PDF of pages with lines of text on each. */
export function pdfOf(pages: readonly (readonly string[])[], title?: string): Uint8Array {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${
      pages.map((_, i) => `${4 + 2 * i} 0 R`).join(" ")
    }] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((lines, i) => {
      const shown = lines.map((line) => `(${line}) Tj T*`).join("\n");
      const content = `BT /F1 10 Tf 50 780 Td 12 TL\n${shown}\nET`;
      const resources = "/Resources << /Font << /F1 3 0 R >> >>";
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources} /Contents ${
          5 + 2 * i
        } 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
    ...(title === undefined ? [] : [`<< /Title (${title}) >>`]),
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, i) => {
    const place = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const table = text.length;
  const info = title === undefined ? "" : ` /Info ${objects.length} 0 R`;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${info} >>\n`;
  return new TextEncoder().encode(`${text}startxref\n${table}\n%%EOF\n`);
}
