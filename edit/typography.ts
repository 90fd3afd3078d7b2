import { isBlankCode } from "./text.ts";

/**
 * Characters that keyboards and models write in place of one another, each folded to its ASCII twin:
 * the quotes, dashes, minus and spaces of Unicode that stand for one ASCII character. One to one,
 * so offsets stay; no compatibility folding, no case, no full-width forms.
 */
const FOLDED: readonly (readonly [from: number, to: number, ascii: string])[] = [
  [0x00a0, 0x00a0, " "], // no-break space
  [0x1680, 0x1680, " "],
  [0x2000, 0x200a, " "], // en quad to hair space
  [0x202f, 0x202f, " "], // narrow no-break space
  [0x205f, 0x205f, " "],
  [0x3000, 0x3000, " "], // ideographic space
  [0x2010, 0x2015, "-"], // hyphen to horizontal bar
  [0x2212, 0x2212, "-"], // minus sign
  [0x2018, 0x201b, "'"], // single quotes
  [0x201c, 0x201f, '"'], // double quotes
];

const FOLDABLE = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2010-\u2015\u2212\u2018-\u201F]/;
const EVERY_FOLDABLE = new RegExp(FOLDABLE, "g");

/** True when a text holds a character that {@linkcode foldTypography} changes. */
export function hasTypography(text: string): boolean {
  return FOLDABLE.test(text);
}

/** The text with typographic characters as their ASCII twins; same length, same offsets. */
export function foldTypography(text: string): string {
  return hasTypography(text)
    ? text.replace(EVERY_FOLDABLE, (c) => String.fromCharCode(foldCode(c.charCodeAt(0))))
    : text;
}

/** The code unit that one code unit folds to. */
export function foldCode(code: number): number {
  if (code < 0xa0) return code;
  for (const [from, to, ascii] of FOLDED) {
    if (code >= from && code <= to) return ascii.charCodeAt(0);
  }
  return code;
}

/**
 * Hash of a line's content without outer blanks and with typography folded; 0 for a blank line.
 * Lines that any tolerant rung calls equal have equal hashes (FNV-1a, 32 bits).
 */
export function lineHash(text: string, start: number, end: number): number {
  while (start < end && isBlankCode(text.charCodeAt(start))) start++;
  while (end > start && isBlankCode(text.charCodeAt(end - 1))) end--;
  if (start === end) return 0;
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    hash = Math.imul(hash ^ (code < 0xa0 ? code : foldCode(code)), 0x01000193);
  }
  return (hash >>> 0) || 1;
}
