import { recogniseFile } from "../file_signature.ts";

/** What a document is. */
export type Media =
  | { readonly kind: "pdf" | "html" | "xml" | "json" | "text" }
  /** No text; `what` says it in words. */
  | { readonly kind: "image" | "binary"; readonly what: string };

/** Logs and jokes hold some control characters, files of programs many; as a share of the bytes. */
const MAX_CONTROLS = 0.05;

/** How much of a document is looked at, in bytes. */
const LOOKED_AT = 1024;

/**
 * Judges a document by its bytes, since servers often do not know, and between kinds of text by the
 * header `content-type`; where that says nothing, by how the text begins.
 */
export function mediaOf(bytes: Uint8Array, contentType = ""): Media {
  const head = latin(bytes.subarray(0, LOOKED_AT));
  // Readers of PDF take some bytes before its beginning (PDF 1.7, implementation note 13).
  if (head.includes("%PDF-")) return { kind: "pdf" };
  const type = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(contentType)?.[1]?.toLowerCase() ?? "";
  const signature = recogniseFile(bytes);
  if (signature?.kind === "image") {
    const { format, size } = signature;
    const pixels = size ? ` of ${size.width} x ${size.height} pixels` : "";
    return { kind: "image", what: `${format} image${pixels}` };
  }
  if (signature) return { kind: "binary", what: signature.name };
  if (isBinary(head)) {
    const kind = type.startsWith("image/") ? "image" : "binary";
    return { kind, what: type || "binary file" };
  }
  return { kind: textKind(head, type) };
}

function textKind(head: string, type: string): "html" | "xml" | "json" | "text" {
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (/[/+]json$/.test(type)) return "json";
  if (type === "image/svg+xml") return "text";
  if (/[/+]xml$/.test(type)) return isXhtml(head) ? "html" : "xml";
  if (type !== "" && type !== "application/octet-stream") return "text";
  const start = head.replace(/^\xef\xbb\xbf/, "").trimStart();
  if (/^<(?:!doctype html|html|head|body)\b/i.test(start)) return "html";
  if (/^<\?xml\b/.test(start)) return isXhtml(head) ? "html" : "xml";
  return /^[[{]\s*["{[\]}]/.test(start) ? "json" : "text";
}

function isXhtml(head: string): boolean {
  return /<html\b/i.test(head);
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** UTF-16 with its mark holds NUL bytes and is text; ISO 2022 has ESC, SO and SI. */
function isBinary(head: string): boolean {
  if (/^(?:\xfe\xff|\xff\xfe)/.test(head)) return false;
  // deno-lint-ignore no-control-regex -- these bytes are what it looks for
  const controls = head.match(/[\x01-\x07\x10-\x1a\x1c-\x1f]/g)?.length ?? 0;
  return head.includes("\0") || controls > head.length * MAX_CONTROLS;
}
