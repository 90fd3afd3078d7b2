import type { Reader } from "../../tools/tool.ts";
import { type Row, spreadOf } from "./statistics.ts";

const PAGES = 10;

/** Paragraphs with a link and some code, about 100 KB of source. */
const SECTION = "<h2>A heading</h2><p>Some words of a page, with <a href='/x'>a link</a> and " +
  "<code>code</code>, that somebody might want to read.</p><pre><code>const a = 1;</code></pre>";

/** Measures what a page of ordinary size takes to be read, the start of its process included. */
export async function benchReader(reader: Reader): Promise<Row[]> {
  const html = `<title>T</title><article>${SECTION.repeat(500)}</article>`;
  const bytes = new TextEncoder().encode(html);
  const hint = { url: "https://page.invalid/", contentType: "text/html" };
  const times: number[] = [];
  for (let page = 0; page < PAGES; page++) {
    const started = performance.now();
    await reader.read(bytes, hint, new AbortController().signal);
    times.push(performance.now() - started);
  }
  return [{ what: "a page of 100 KB as text", unit: "ms", spread: spreadOf(times), mark: "" }];
}
