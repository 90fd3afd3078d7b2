/** What a person or model asks, as expressions of SQLite's full-text search (fts5, "Full-text Query Syntax"). */
import { identifierParts, pairsOf, type Term, termsOf } from "./words.ts";

/** More words of a query are left out: rare ones decide, and the first ones were meant. */
const MAX_TERMS = 24;

/** The same of pairs of characters, and so of all that any text may have. */
const MAX_ANY = 48;

/** A run without blanks up to so many characters is taken as one word. */
const MAX_WORD_RUN = 4;

/** A query ready to be matched; in every string all that was asked stands in quotes. */
export interface MatchExpressions {
  /** One for each word or phrase; a text with all of them answers best. */
  readonly all: readonly string[];
  /** One for each word, pair of characters or phrase; a text with any of them may answer. */
  readonly any: readonly string[];
  /** Words that may be a part of longer ones, in lower case, each at least three characters. */
  readonly fragments: readonly string[];
}

/** Quoted parts are phrases, of which no word counts alone; all other signs only separate words. */
export function matchExpressions(query: string): MatchExpressions {
  const pieces = piecesOf(query);
  const free = pieces.flatMap(({ phrase, terms }) => phrase ? [] : terms);
  return {
    all: unique(pieces.flatMap(({ phrase, terms }) => phrase ? phraseOf(terms) : terms.map(whole))),
    any: unique(
      pieces.flatMap(({ phrase, terms }) => phrase ? phraseOf(terms) : terms.flatMap(loose)),
    ).slice(0, MAX_ANY),
    fragments: unique(free.flatMap(fragmentOf)),
  };
}

/** Any of these words; none makes an expression that matches nothing. */
export function anyOf(expressions: readonly string[]): string {
  return expressions.length === 0 ? '""' : expressions.join(" OR ");
}

/** All of these words. */
export function allOf(expressions: readonly string[]): string {
  return expressions.length === 0 ? '""' : expressions.join(" AND ");
}

/** A text that is matched as it is. */
export function quoted(text: string): string {
  return `"${text.replaceAll("\0", " ").replaceAll('"', '""')}"`;
}

interface Piece {
  readonly phrase: boolean;
  readonly terms: readonly Term[];
}

function piecesOf(query: string): Piece[] {
  let left = MAX_TERMS;
  // What stands between two quotes has an odd place; a quote that stays open begins nothing.
  const parts = query.split('"');
  return parts.map((part, index) => {
    const terms = termsOf(part).slice(0, left);
    left -= terms.length;
    return { phrase: index % 2 === 1 && index < parts.length - 1, terms };
  });
}

/** Words in a row; runs of scripts without blanks stand in a column of their own. */
function phraseOf(terms: readonly Term[]): string[] {
  const words = terms.filter(({ kind }) => kind === "word").map(({ text }) => text);
  const runs = terms.filter(({ kind }) => kind === "unspaced");
  return [...(words.length > 0 ? [quoted(words.join(" "))] : []), ...runs.map(whole)];
}

function whole({ kind, text }: Term): string {
  if (kind === "word") return word(text);
  // A run ends where it ends in the query, but in a text it may go on.
  const pairs = [...text].length > 1 ? pairsOf(text).slice(0, -1) : undefined;
  return pairs ? `parts : ${quoted(pairs.join(" "))}` : `parts : ${quoted(text)} *`;
}

function loose(term: Term): string[] {
  const long = term.kind === "unspaced" && [...term.text].length > MAX_WORD_RUN;
  return long
    ? pairsOf(term.text).slice(0, -1).map((pair) => `parts : ${quoted(pair)}`)
    : [whole(term)];
}

/** An identifier is found as it is, and by its parts in a row, however others join them. */
function word(text: string): string {
  const parts = identifierParts(text);
  return parts.length < 2 ? quoted(text) : `(${quoted(text)} OR ${quoted(parts.join(" "))})`;
}

function fragmentOf({ kind, text }: Term): string[] {
  return kind === "word" && [...text].length >= 3 ? [text.toLowerCase()] : [];
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
