import { posix } from "node:path";
import type { Hole, Piece, Word } from "./words.ts";

/**
 * Stand-ins, inside of a value, for what is only known at run time. They are private-use
 * characters, which {@linkcode withoutStandIns} takes out of every script first.
 */
/** Any text. */
export const UNKNOWN = "\uE000";
/** The home folder of some user. */
export const HOME = "\uE001";
/** Text that was fetched from the network. */
export const FETCHED = "\uE002";
/** A place where an unquoted value is split into words. */
const SPLIT = "\uE003";

/** Most words that one word with braces may become. */
const MAX_WORDS = 64;

/** Longest value that is followed, in UTF-16 units; assignments could double it without end. */
const MAX_VALUE_LENGTH = 16 * 1024;

/** `script` with other characters, at the same length, where it could pose as a stand-in. */
export function withoutStandIns(script: string): string {
  return script.replace(/[\uE000-\uE003]/g, "?");
}

/** A value as a person reads it. */
export function shown(value: string): string {
  return value.replaceAll(HOME, "~").replace(/[\uE000\uE002\uE003]+/g, "…");
}

/** What the shell knows, as far as a reader of the script can know it too. */
export interface ShellState {
  /** Values of variables that were set to something visible. */
  readonly variables: Map<string, string>;
  /** The current folder: absolute, below {@linkcode HOME}, or relative to the unknown first one. */
  cwd: string;
}

/** The value that an expansion has, with stand-ins. */
export type HoleValue = (hole: Hole) => string;

/** The words that `word` becomes, after brace, tilde and variable expansion and quote removal. */
export function expandWord(word: Word, valueOf: HoleValue): string[] {
  const [piece, ...more] = word.pieces;
  if (more.length === 0 && piece?.kind === "text" && !/[{~]/.test(piece.text)) return [piece.text];
  const pattern = word.pieces.map((piece) => patternOf(piece, valueOf)).join("");
  return expandBraces(pattern).flatMap((one) => {
    const split = one.split(SPLIT).filter((part) => part !== "");
    const fields = split.length > 0 || !hasQuotes(word) ? split : [""];
    return fields.map((field) => unescape(expandTilde(field)));
  });
}

/** The single text of `word` where the shell does not split: assignments and redirections. */
export function expandToText(word: Word, valueOf: HoleValue): string {
  const pattern = word.pieces.map((piece) => patternOf(piece, valueOf)).join("");
  return unescape(expandTilde(pattern)).replaceAll(SPLIT, " ");
}

/** A piece with a backslash before each quoted character that would mean something unquoted. */
function patternOf(piece: Piece, valueOf: HoleValue): string {
  if (piece.kind === "text") return piece.quoted ? escape(piece.text) : piece.text;
  const value = bounded(valueOf(piece));
  return piece.quoted ? escape(value) : escape(value).replace(/[ \t\n]+/g, SPLIT);
}

/** `value`, or the stand-in for any text when it is too long to follow. */
export function bounded(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? UNKNOWN : value;
}

function hasQuotes(word: Word): boolean {
  return word.pieces.some((piece) => piece.quoted);
}

function escape(text: string): string {
  return text.replace(/[\\{},~]/g, "\\$&");
}

function unescape(pattern: string): string {
  return pattern.replace(/\\([^])/g, "$1");
}

function expandTilde(pattern: string): string {
  return pattern.replace(/^~[A-Za-z0-9_.-]*(?=\/|$)/, HOME);
}

/** `a{b,c}` as `ab` and `ac`; ranges stay, since they name nothing that is looked for. */
function expandBraces(pattern: string): string[] {
  let words = [pattern];
  for (let round = 0; round < MAX_WORDS; round++) {
    const next = words.flatMap(expandFirstBrace);
    if (next.length === words.length || next.length > MAX_WORDS) return words;
    words = next;
  }
  return words;
}

function expandFirstBrace(pattern: string): string[] {
  for (const match of pattern.matchAll(/\\[^]|\{/g)) {
    if (match[0] !== "{") continue;
    const choices = choicesFrom(pattern, match.index);
    if (choices === undefined) continue;
    const before = pattern.slice(0, match.index);
    return choices.parts.map((part) => before + part + pattern.slice(choices.end));
  }
  return [pattern];
}

/** The parts between the commas of the brace that opens at `open`; undefined when it has none. */
function choicesFrom(pattern: string, open: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at += 1;
    else if (char === "{") depth += 1;
    else if (char === "}") depth -= 1;
    if (depth === 0 || (depth === 1 && char === ",")) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return parts.length > 1 ? { parts, end: at + 1 } : undefined;
  }
  return undefined;
}

/** `path` seen from `cwd`, without `.` and `..` where that can be told. */
export function resolvePath(cwd: string, path: string): string {
  const fixed = path.startsWith("/") || path.startsWith(HOME) || path.startsWith(UNKNOWN);
  const normal = posix.normalize(fixed ? path : `${cwd || "."}/${path}`);
  return normal.length > 1 ? normal.replace(/\/$/, "") : normal;
}

/** The value of `$name`, `${name}` or `${name:-word}`. */
export function variableValue(source: string, state: ShellState): string {
  const match = /^\$\{?([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?!$-])(.*?)\}?$/s.exec(source);
  const [, name = "", operation = ""] = match ?? [];
  const known = state.variables.get(name) ?? BUILT_IN.get(name);
  if (name === "PWD") return state.cwd || UNKNOWN;
  const fallback = /^:?[-=]['"]?(.*?)['"]?$/s.exec(operation)?.[1];
  if (fallback !== undefined) return known || fallback.replace(/^~|\$\{?HOME\}?/, HOME);
  const trims = operation === "" || /^[%#]/.test(operation);
  return (trims ? known : undefined) ?? UNKNOWN;
}

const BUILT_IN: ReadonlyMap<string, string> = new Map([["HOME", HOME], ["IFS", " "]]);
