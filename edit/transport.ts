import { isBlank, leadingBlanks } from "./text.ts";

/** What was repaired. */
export type Repair =
  | "outer newlines"
  | "line numbers"
  | "code fence"
  | "backslash escapes"
  | "html";

/** The two texts of an edit after one repair of what the way from the model did to them. */
export interface Repaired {
  readonly name: Repair;
  readonly old: string;
  readonly fresh: string;
  /** The repair is proof of whole lines: a hit inside a line is none. */
  readonly wholeLines: boolean;
}

/**
 * The repairs that fit both texts, in the order in which they are tried. Where the texts were given as
 * lines, blank lines around them are no artefact.
 */
export function repairs(old: string, fresh: string, givenAsLines: boolean): Repaired[] {
  return [
    ...(givenAsLines ? [] : stripOuterNewlines(old, fresh)),
    ...stripGutter(old, fresh),
    ...stripFence(old, fresh),
    ...decodeBoth("backslash escapes", old, fresh, unescapeBackslashes),
    ...decodeBoth("html", old, fresh, unescapeHtml),
  ].filter((repair) => repair.old !== "" && repair.old !== old);
}

function stripOuterNewlines(old: string, fresh: string): Repaired[] {
  const [oldLead, oldTrail] = outerNewlines(old);
  const [freshLead, freshTrail] = outerNewlines(fresh);
  const lead = oldLead === freshLead ? oldLead : 0;
  const trail = oldTrail === freshTrail ? oldTrail : 0;
  const cut = (text: string) => text.slice(lead, text.length - trail);
  return lead + trail === 0 || isBlank(old.replaceAll("\n", ""))
    ? []
    : [{ name: "outer newlines", old: cut(old), fresh: cut(fresh), wholeLines: true }];
}

function outerNewlines(text: string): [lead: number, trail: number] {
  let lead = 0;
  while (text[lead] === "\n") lead++;
  let trail = 0;
  while (trail < text.length - lead && text.at(-1 - trail) === "\n") trail++;
  return [lead, trail];
}

/** A line number, what divides it from the line, and the line. */
const GUTTER = /^[ \t]*(\d{1,9})(?:[ \t]*([:|│→])|(\t))(.*)$/s;

interface Gutter {
  readonly numbers: number[];
  readonly separator: string;
  readonly lines: string[];
}

function stripGutter(old: string, fresh: string): Repaired[] {
  const mine = readGutter(old);
  if (mine === undefined || !mine.numbers.every((n, at) => n === (mine.numbers[0] ?? 0) + at)) {
    return [];
  }
  const theirs = readGutter(fresh);
  if (theirs === undefined && fresh.split("\n").some((line) => GUTTER.test(line))) return [];
  if (theirs !== undefined && theirs.separator !== mine.separator) return [];
  const plain = (gutter: Gutter | undefined, text: string, cut: (line: string) => string) =>
    gutter === undefined
      ? text
      : gutter.lines.map(cut).join("\n") + (text.endsWith("\n") ? "\n" : "");
  const repair = (cut: (line: string) => string): Repaired => ({
    name: "line numbers",
    old: plain(mine, old, cut),
    fresh: plain(theirs, fresh, cut),
    wholeLines: true,
  });
  const spaced = [...mine.lines, ...(theirs?.lines ?? [])].every((l) => l === "" || l[0] === " ");
  return [repair((line) => line), ...(spaced ? [repair((line) => line.slice(1))] : [])];
}

/** The gutter of a text whose every line has one, with one separator. */
function readGutter(text: string): Gutter | undefined {
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const gutter: Gutter = { numbers: [], separator: "", lines: [] };
  const separators = new Set<string>();
  for (const line of lines) {
    const [, number, sign, tab, rest] = GUTTER.exec(line) ?? [];
    const separator = sign ?? tab;
    if (number === undefined || separator === undefined || rest === undefined) return undefined;
    gutter.numbers.push(Number(number));
    gutter.lines.push(rest);
    separators.add(separator);
  }
  const [separator] = separators;
  return separators.size === 1 && separator !== undefined ? { ...gutter, separator } : undefined;
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[^`\n]*\n(?:(.*)\n)?[ \t]*(`{3,}|~{3,})[ \t]*\n?$/s;

function stripFence(old: string, fresh: string): Repaired[] {
  const mine = FENCE.exec(old);
  const theirs = FENCE.exec(fresh);
  if (mine === null || theirs === null || mine[1] !== mine[3] || theirs[1] !== theirs[3]) return [];
  const [oldBody, freshBody] = [mine[2] ?? "", theirs[2]];
  // A fence around nothing deletes the lines, their last break included.
  const bodies = freshBody === undefined
    ? { old: oldBody + "\n", fresh: "" }
    : { old: oldBody, fresh: freshBody };
  return [{ name: "code fence", ...bodies, wholeLines: false }];
}

function decodeBoth(
  name: Repair,
  old: string,
  fresh: string,
  decode: (text: string) => string | undefined,
): Repaired[] {
  const mine = decode(old);
  const theirs = decode(fresh);
  return mine === undefined || theirs === undefined
    ? []
    : [{ name, old: mine, fresh: theirs, wholeLines: false }];
}

const BACKSLASH: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  '"': '"',
  "'": "'",
  "`": "`",
  "\\": "\\",
  "/": "/",
};

/** Takes one level of backslash escapes away; undefined when a backslash is no escape of that kind. */
function unescapeBackslashes(text: string): string | undefined {
  let clean = true;
  const plain = text.replace(/\\(u[0-9a-fA-F]{4}|.|$)/gs, (_, escape: string) => {
    if (/^u[0-9a-fA-F]{4}$/.test(escape)) return String.fromCharCode(parseInt(escape.slice(1), 16));
    const character = BACKSLASH[escape];
    if (character === undefined) clean = false;
    return character ?? "";
  });
  return clean ? plain.replaceAll("\r\n", "\n") : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&apos;": "'",
};

/** Numbered entities of printable ASCII; others are not what escaping source text makes. */
function numberedEntity(entity: string): string | undefined {
  const [, decimal, hex] = /^&#(?:(\d{2,3})|x([0-9a-f]{2}));$/.exec(entity) ?? [];
  const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined;
}

/** Decodes the entities of escaped source text; undefined for text that is not escaped throughout. */
function unescapeHtml(text: string): string | undefined {
  let clean = !/[<>]/.test(text);
  const plain = text.replace(/&(?:#?\w+;)?/g, (entity) => {
    const name = entity.toLowerCase();
    const character = ENTITIES[name] ?? numberedEntity(name);
    if (character === undefined) clean = false;
    return character ?? "";
  });
  return clean ? plain : undefined;
}

/** What an old text that was not found looks like, named for the message. */
export function transportLook(old: string): string | undefined {
  const lines = old.split("\n").filter((line) => !isBlank(line));
  if (lines.length > 0 && lines.every((line) => GUTTER.test(line))) return "line numbers";
  if (/^[ \t]*(`{3}|~{3})/.test(old)) return "a code fence";
  if (/&(?:lt|gt|amp|quot|#39);/.test(old)) return "html entities";
  if (lines.length === 1 && /\\[nt"]/.test(old)) return "backslash escapes";
  return leadingBlanks(old).length < old.length && /^\s*(\.\.\.|…)\s*$/m.test(old)
    ? "an ellipsis"
    : undefined;
}
