/** A part of an answer, in order: all `text` of all parts joined is the answer. */
export type Segment = TextSegment | FencedBlock;

export interface TextSegment {
  readonly kind: "text";
  readonly text: string;
}

/** A fenced code block of CommonMark (section 4.5), which may hold others. */
export interface FencedBlock {
  readonly kind: "fence";
  /** As written, with its fences. */
  readonly text: string;
  /** The rest of the opening line, without blanks around it. */
  readonly info: string;
  /** The lines inside with their line breaks, less the indentation of the opening fence. */
  readonly body: string;
  /** Whether its closing fence was seen. */
  readonly closed: boolean;
  /** Whether a fence of its own length or longer was opened inside, so that its end was paired. */
  readonly nests: boolean;
}

interface Fence {
  readonly indent: number;
  readonly sign: string;
  readonly length: number;
  readonly info: string;
}

/** Up to three blanks, a run of one sign, an info string; after backticks without any backtick. */
const FENCE = /^( {0,3})(?:(`{3,})([^`]*)|(~{3,})(.*))$/s;

/**
 * Splits a text at its fenced blocks. Two rules go beyond CommonMark: inside a block a fence of the
 * same sign, at least as long and with an info string opens a block of its own, which the next
 * bare fence closes; and in a text that was `cut` off, a last line without its end closes nothing.
 */
export function splitFences(text: string, cut = false): readonly Segment[] {
  const lines = text.split(/(?<=\n)/);
  const segments: Segment[] = [];
  let plain = "";
  for (let at = 0; at < lines.length;) {
    const fence = readFence(lines[at] ?? "");
    if (fence === undefined) {
      plain += lines[at++];
      continue;
    }
    if (plain !== "") segments.push({ kind: "text", text: plain });
    plain = "";
    const { end, ...found } = findEnd(lines, at, fence, cut);
    segments.push({
      kind: "fence",
      text: lines.slice(at, end).join(""),
      info: fence.info,
      body: bodyOf(lines.slice(at, found.closed ? end - 1 : end), fence),
      ...found,
    });
    at = end;
  }
  if (plain !== "") segments.push({ kind: "text", text: plain });
  return segments;
}

function readFence(line: string): Fence | undefined {
  const match = FENCE.exec(line.replace(/\r?\n$/, ""));
  if (!match) return undefined;
  const [, indent = "", ticks, ticksInfo, tildes = "", tildesInfo] = match;
  const run = ticks ?? tildes;
  return {
    indent: indent.length,
    sign: run.charAt(0),
    length: run.length,
    info: (ticksInfo ?? tildesInfo ?? "").replace(/^[ \t]+|[ \t]+$/g, ""),
  };
}

/** Where the block that opens in line `start` ends: the index after its last line. */
function findEnd(
  lines: readonly string[],
  start: number,
  opening: Fence,
  cut: boolean,
): { end: number; closed: boolean; nests: boolean } {
  const open = [opening.length];
  let nests = false;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const fence = readFence(line);
    if (fence?.sign !== opening.sign || fence.length < (open.at(-1) ?? 0)) continue;
    if (fence.info !== "") {
      open.push(fence.length);
      nests = true;
    } else if (!cut || line.endsWith("\n")) {
      open.pop();
      if (open.length === 0) return { end: at + 1, closed: true, nests };
    }
  }
  return { end: lines.length, closed: false, nests };
}

/** The lines after the opening one; a break of CRLF there says that the text travelled so. */
function bodyOf([opening = "", ...inside]: readonly string[], { indent }: Fence): string {
  const prefix = new RegExp(`^ {0,${indent}}`);
  const body = inside.map((line) => line.replace(prefix, "")).join("");
  return opening.endsWith("\r\n") ? body.replaceAll("\r\n", "\n") : body;
}
