import { stripControls } from "../terminal/output.ts";
import type { Call, Entry, Image, Part, Transcript } from "./transcript.ts";

/** A session as Markdown. Pure. */
export function markdownOf(transcript: Transcript): string {
  const { id, name, cwd, created, version, entries } = transcript;
  return [
    `# ${oneLine(name ?? `Session ${id}`)}`,
    `Session ${id} of ${code(cwd)}, begun ${created}, Cordon ${version}.`,
    ...entries.map(entryText),
  ].map((part) => `${stripControls(part)}\n`).join("\n");
}

function entryText(entry: Entry): string {
  switch (entry.kind) {
    case "person":
      return `## ${entry.n}. Person\n\n${entry.parts.map(partText).join("\n\n")}`;
    case "answer": {
      const thought = entry.reasoning === "" ? "" : `\n\n${quote(entry.reasoning)}`;
      return `## ${oneLine(entry.model)}${thought}${entry.text && `\n\n${entry.text}`}`;
    }
    case "call":
      return callText(entry);
    case "summary":
      return `## Summary of what came before\n\n${entry.text}`;
    case "end":
      return `_Ended: ${entry.reason.replaceAll("_", " ")}_`;
  }
}

function callText({ tool, arguments: args, result }: Call): string {
  const outcome = result === undefined ? "_No result._" : [
    ...(result.isError ? ["_Could not be done:_"] : []),
    ...(result.text === "" ? [] : [fence(result.text)]),
    ...result.images.map(imageText),
  ].join("\n\n");
  return `### ${oneLine(tool)}\n\n${fence(args, "json")}\n\n${outcome}`.trimEnd();
}

function partText(part: Part): string {
  return part.kind === "text" ? part.text : imageText(part);
}

function imageText({ name, mediaType, bytes }: Image): string {
  return `[image ${oneLine(name)}, ${mediaType}${bytes === undefined ? ", gone" : ""}]`;
}

/** A block that no line of the text can end. */
function fence(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${marks}`;
}

function quote(text: string): string {
  return text.split("\n").map((line) => `> ${line}`).join("\n");
}

function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return longest === 0 ? `${marks}${text}${marks}` : `${marks} ${text} ${marks}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
