/** A pattern as JavaScript runs it, or why it is none. */
export type SearchPattern =
  | { readonly ok: true; readonly matcher: RegExp }
  | { readonly ok: false; readonly detail: string };

/**
 * Reads a regular expression as Rust's `regex` (and so ripgrep) does where JavaScript differs:
 * character classes and word borders are those of Unicode, `(?P<name>…)`, `[[:space:]]`, `\A`, `\z`
 * and a leading `(?i)` are known, and a backslash before any punctuation stands for itself.
 */
export function compilePattern(pattern: string, ignoreCase: boolean): SearchPattern {
  const { flags = "", rest = pattern } = LEADING_FLAGS.exec(pattern)?.groups ?? {};
  try {
    // "s": a line holds no line break, and in Rust a dot matches all else, also U+2028.
    const insensitive = ignoreCase || flags.includes("i");
    return { ok: true, matcher: new RegExp(translate(rest), insensitive ? "isu" : "su") };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // JavaScript names the pattern first, as it was translated: nobody would know it again.
    return { ok: false, detail: error.message.slice(error.message.lastIndexOf(": ") + 2) };
  }
}

const LEADING_FLAGS = /^\(\?(?<flags>[ims]+)\)(?<rest>.*)$/s;

/** What counts as part of a word (Unicode Technical Standard 18, annex C). */
const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;

/** Escapes outside of brackets. */
const ESCAPES: Readonly<Record<string, string>> = {
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  b: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  "<": `(?<![${WORD}])(?=[${WORD}])`,
  ">": `(?<=[${WORD}])(?![${WORD}])`,
  A: "^",
  z: "$",
  a: String.raw`\x07`,
};

/** Escapes within brackets; the negated ones cannot be spliced in and stay as JavaScript has them. */
const CLASS_ESCAPES: Readonly<Record<string, string>> = {
  w: WORD,
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  a: String.raw`\x07`,
};

/** POSIX classes as `[:alpha:]`, which both take to be ASCII. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  blank: String.raw` \t`,
  digit: "0-9",
  lower: "a-z",
  punct: String.raw`!-\/:-@\[-${"`"}\{-~`,
  space: String.raw`\t-\r `,
  upper: "A-Z",
  word: "a-zA-Z0-9_",
  xdigit: "a-fA-F0-9",
};

/** One token at a time: an escape, a POSIX class, a named group, or a single character. */
const TOKENS = /\\(?<escaped>.)|\[:(?<posix>[a-z]+):\]|(?<named>\(\?P<)|(?<other>.)/gsu;

function translate(pattern: string): string {
  let inClass = false;
  let output = "";
  for (const { 0: token, groups = {} } of pattern.matchAll(TOKENS)) {
    const { escaped, posix, named, other } = groups;
    if (escaped !== undefined) output += escape(escaped, inClass);
    else if (posix !== undefined && inClass) output += POSIX[posix] ?? token;
    else if (named !== undefined && !inClass) output += "(?<";
    else output += inClass && other === "[" ? String.raw`\[` : token;
    if (other === "[") inClass = true;
    if (other === "]") inClass = false;
  }
  return output;
}

function escape(character: string, inClass: boolean): string {
  const known = (inClass ? CLASS_ESCAPES : ESCAPES)[character];
  if (known !== undefined) return known;
  if (/[\p{L}\p{N}]/u.test(character)) return `\\${character}`;
  // In Unicode mode JavaScript allows a backslash before these only; others stand for themselves.
  return /[\^$\\.*+?()[\]{}|/]/.test(character) || (inClass && character === "-")
    ? `\\${character}`
    : character;
}
