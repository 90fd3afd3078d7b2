/**
 * How texts are taken apart so that words find them. SQLite's own tokeniser makes words of what has
 * blanks and signs between it; what stands here is the rest: the parts of identifiers, and pairs of
 * characters for scripts that write no blanks.
 */

/** Characters of scripts that put no blanks between words. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆";

const UNSPACED_RUNS = new RegExp(`[${UNSPACED}]+`, "gu");

/** Runs of one script, or words with their marks. */
const TERMS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])+`, "gu");

/** Parts of identifiers: `parseHTMLPage2` is parse, HTML, Page, 2. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** Longer ones are data; in UTF-16 units. */
const MAX_WORD = 64;

/** Shorter words are found whole, and have no parts. */
const MIN_VOCABULARY = 4;
const MIN_COMPOUND = 3;

/** What a text holds beside its plain words. */
export interface Extracted {
  /** Parts of identifiers and pairs of characters, each group once and in its order. */
  readonly parts: string;
  /** Words that a part of may be asked for, in lower case; only those that are new. */
  readonly vocabulary: readonly string[];
}

/** Takes texts apart, and remembers words: most of a text are words that came before. */
export class WordExtractor {
  readonly #known = new KnownWords();
  /** Of identifiers by their keys: to cut each out of its text again would take the most time. */
  readonly #parts = new Map<number, string>();

  extract(text: string): Extracted {
    const seen = new Set<number>();
    const vocabulary: string[] = [];
    const parts: string[] = [];
    for (let at = 0; at < text.length;) {
      const run = runAt(text, at);
      at = run.end;
      if (run.kind === SIGN) continue;
      if (run.kind === WIDE) {
        for (const [found] of text.slice(run.start, run.end).matchAll(UNSPACED_RUNS)) {
          parts.push(...pairsOf(found));
        }
        continue;
      }
      const length = run.end - run.start;
      if (length < MIN_COMPOUND || length > MAX_WORD) continue;
      const isNew = length >= MIN_VOCABULARY && !isNumber(text, run.start) &&
        this.#known.add(run.hash);
      if (!isNew && !run.compound) continue;
      if (isNew) vocabulary.push(text.slice(run.start, run.end).toLowerCase());
      const key = run.hash * (MAX_WORD + 1) + length;
      if (!run.compound || seen.has(key)) continue;
      seen.add(key);
      parts.push(this.#parts.get(key) ?? this.#partsOf(key, text.slice(run.start, run.end)));
    }
    return { parts: parts.join(" "), vocabulary };
  }

  /** From here on every word is new again. */
  forget(): void {
    this.#known.clear();
  }

  #partsOf(key: number, word: string): string {
    if (this.#parts.size >= MAX_REMEMBERED) this.#parts.clear();
    const parts = identifierParts(word).join(" ");
    this.#parts.set(key, parts);
    return parts;
  }
}

/** So many identifiers are remembered; then it begins anew. */
const MAX_REMEMBERED = 50_000;

/**
 * Words by their hash in a table of fixed size: a new one takes the place of an old one, which is
 * then new again. One in four thousand millions is taken for another.
 */
class KnownWords {
  /** A power of two. */
  readonly #hashes = new Uint32Array(1 << 19);

  /** Whether it was not known. */
  add(hash: number): boolean {
    const slot = hash & (this.#hashes.length - 1);
    if (this.#hashes[slot] === hash) return false;
    this.#hashes[slot] = hash;
    return true;
  }

  clear(): void {
    this.#hashes.fill(0);
  }
}

/** Characters of one kind that stand together. */
interface Run {
  readonly kind: CharacterKind;
  readonly start: number;
  readonly end: number;
  /** Of a word, not 0. */
  readonly hash: number;
  /** Whether a word has parts: a small letter before a large one, or an underscore within. */
  readonly compound: boolean;
}

/** A sign or blank, a character of an ASCII word, or one outside ASCII. */
type CharacterKind = typeof SIGN | typeof WORD | typeof WIDE;

const SIGN = 0;
const WORD = 1;
const WIDE = 2;

/** Which ASCII characters belong to words. */
const WORD_CHARACTERS = Uint8Array.from(
  { length: 128 },
  (_, code) => /\w/.test(String.fromCharCode(code)) ? WORD : SIGN,
);

function kindOf(code: number): CharacterKind {
  if (code > 0x7f) return WIDE;
  return WORD_CHARACTERS[code] === WORD ? WORD : SIGN;
}

/** By hand and in one pass, since every character of every file comes by here (FNV-1a hash). */
function runAt(text: string, start: number): Run {
  const kind = kindOf(text.charCodeAt(start));
  let end = start;
  let hash = 0x811c9dc5;
  let compound = false;
  let before = 0;
  do {
    const code = text.charCodeAt(end);
    if (kind === WORD) {
      hash = Math.imul(hash ^ code, 0x01000193);
      compound ||= isLarge(code) && isSmall(before) || before === UNDERSCORE && end - start > 1 ||
        isSmall(code) && isLarge(before) && end - start > 2;
      before = code;
    }
    end++;
  } while (end < text.length && kindOf(text.charCodeAt(end)) === kind);
  return { kind, start, end, hash: hash >>> 0 || 1, compound };
}

const UNDERSCORE = 95;

function isLarge(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** The parts of an identifier in lower case; of a plain word the word alone. */
export function identifierParts(word: string): string[] {
  return (word.match(PARTS) ?? []).map((part) => part.toLowerCase());
}

/**
 * Neighbouring characters of a run, and its last character alone, so that what is no longer than a
 * character is found too.
 */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

/** A word of a query. */
export interface Term {
  /** `unspaced`: a run of a script without blanks between its words. */
  readonly kind: "word" | "unspaced";
  readonly text: string;
}

/** The words of a query, in their order. */
export function termsOf(query: string): Term[] {
  return [...query.toWellFormed().matchAll(TERMS)].map(([text]) => ({
    kind: isUnspaced(text) ? "unspaced" : "word",
    text,
  }));
}

function isUnspaced(text: string): boolean {
  return text.search(UNSPACED_RUNS) === 0;
}

function isNumber(text: string, start: number): boolean {
  const first = text.charCodeAt(start);
  return first >= 48 && first <= 57;
}
