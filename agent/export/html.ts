import { stripControls } from "../terminal/output.ts";
import type { Call, Entry, Image, Part, Transcript } from "./transcript.ts";

/** Images that a page shows; others could be documents with scripts of their own, as SVG. */
const SHOWN_IMAGES = ["image/png", "image/jpeg", "image/webp", "image/gif"];

const STYLE = `
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: #1a1a1a; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; font: inherit; }
pre.code { font: .85rem/1.4 ui-monospace, monospace; background: #f4f4f4; padding: .5rem; }
section { margin: 1rem 0; padding: 0 1rem; border-left: .25rem solid #ccc; }
section.person { border-color: #2563eb; } section.error { border-color: #dc2626; }
h1 { font-size: 1.4rem; } h2, summary { font-size: 1rem; font-weight: 600; margin: 0; }
.quiet { color: #555; } img { max-width: 100%; }
@media (prefers-color-scheme: dark) { body { color: #e5e5e5; background: #171717; }
  pre.code { background: #262626; } .quiet { color: #a3a3a3; } }
`;

/**
 * A session as one page that needs nothing else: no script, nothing from the network, images inside.
 * Pure.
 */
export function htmlOf(transcript: Transcript): string {
  const { id, name, cwd, created, version, entries } = transcript;
  const title = escape(name ?? `Session ${id}`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p class="quiet">Session ${escape(id)} of ${escape(cwd)}, begun ${escape(created)}, Cordon ${
    escape(version)
  }.</p>
${entries.map(entryHtml).join("\n")}
</body>
</html>
`;
}

function entryHtml(entry: Entry): string {
  switch (entry.kind) {
    case "person":
      return section("person", `${entry.n}. Person`, entry.parts.map(partHtml).join("\n"));
    case "answer": {
      const thought = entry.reasoning === ""
        ? ""
        : details("Reasoning", `<pre class="quiet">${escape(entry.reasoning)}</pre>`);
      return section("answer", entry.model, thought + block(entry.text));
    }
    case "call":
      return callHtml(entry);
    case "summary":
      return section("summary", "Summary of what came before", block(entry.text));
    case "end":
      return `<p class="quiet">Ended: ${escape(entry.reason.replaceAll("_", " "))}</p>`;
  }
}

function callHtml({ tool, arguments: args, result }: Call): string {
  const body = codeBlock(args) +
    (result === undefined
      ? '<p class="quiet">No result.</p>'
      : codeBlock(result.text) + result.images.map(imageHtml).join("\n"));
  const kind = result?.isError ? "call error" : "call";
  return `<section class="${kind}">${details(tool, body)}</section>`;
}

function partHtml(part: Part): string {
  return part.kind === "text" ? block(part.text) : imageHtml(part);
}

function imageHtml({ name, mediaType, bytes }: Image): string {
  if (bytes === undefined || !SHOWN_IMAGES.includes(mediaType)) {
    return `<p class="quiet">[image ${escape(name)}${bytes === undefined ? ", gone" : ""}]</p>`;
  }
  return `<img alt="${escape(name)}" src="data:${mediaType};base64,${bytes.toBase64()}">`;
}

function section(kind: string, title: string, body: string): string {
  return `<section class="${kind}"><h2>${escape(title)}</h2>${body}</section>`;
}

function details(title: string, body: string): string {
  return `<details open><summary>${escape(title)}</summary>${body}</details>`;
}

function block(text: string): string {
  return text === "" ? "" : `<pre>${escape(text)}</pre>`;
}

function codeBlock(text: string): string {
  return text === "" ? "" : `<pre class="code">${escape(text)}</pre>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that means itself in elements and in quoted attributes. */
function escape(text: string): string {
  return stripControls(text).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
