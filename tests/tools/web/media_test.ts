import { deepStrictEqual } from "node:assert/strict";
import { type Media, mediaOf } from "../../../tools/web/media.ts";

Deno.test("mediaOf()", async (t) => {
  const cases: [name: string, text: string, contentType: string | undefined, want: Media][] = [
    ["a page by its header", "hi", "text/html; charset=utf-8", { kind: "html" }],
    ["XHTML", "<html>", "application/xhtml+xml", { kind: "html" }],
    ["XHTML that calls itself XML", "<?xml?><html xmlns=x>", "text/xml", { kind: "html" }],
    ["a feed", "<rss>", "application/rss+xml", { kind: "xml" }],
    ["JSON", "{}", "application/problem+json", { kind: "json" }],
    ["a picture that is text", "<svg/>", "image/svg+xml", { kind: "text" }],
    ["text that looks like a page", "<html>", "text/plain", { kind: "text" }],
    ["no header, a page", "\n<!DOCTYPE html>", undefined, { kind: "html" }],
    ["no header, JSON", ' {"a":1}', undefined, { kind: "json" }],
    ["no header, a list of links", "[a](b)", undefined, { kind: "text" }],
    ["no header, XML", "<?xml version='1.0'?><rss>", undefined, { kind: "xml" }],
    ["a header that says nothing", "<body>", "application/octet-stream", { kind: "html" }],
    ["a header that lies of a PDF", "%PDF-1.7", "text/html", { kind: "pdf" }],
    ["a PDF after some bytes", "junk\n%PDF-1.4", "application/pdf", { kind: "pdf" }],
    ["a picture", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03", "text/plain", {
      kind: "image",
      what: "PNG image of 2 x 3 pixels",
    }],
    ["a picture of a kind of its own", "ab\0\0", "image/x-odd", {
      kind: "image",
      what: "image/x-odd",
    }],
    ["an archive", "PK\x03\x04\0", "text/html", { kind: "binary", what: "ZIP archive" }],
    ["bytes", "ab\0c", undefined, { kind: "binary", what: "binary file" }],
    ["bytes with a name", "ab\x01c", "font/woff2", { kind: "binary", what: "font/woff2" }],
    ["a page that rings a bell", `<p>${"word ".repeat(5)}\x07`, "text/html", { kind: "html" }],
    ["UTF-16", "\xff\xfea\0", "text/plain", { kind: "text" }],
    ["escapes of ISO-2022-JP", '\x1b$B$"\x1b(B', "text/plain", { kind: "text" }],
    ["nothing", "", undefined, { kind: "text" }],
  ];
  for (const [name, text, contentType, want] of cases) {
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    await t.step(name, () => deepStrictEqual(mediaOf(bytes, contentType), want));
  }
});
