/**
 * What no name needs and what makes a name look like another one, or do something to a terminal that
 * shows it: control characters, line separators, marks of byte order, and the controls of writing
 * direction (Unicode Bidirectional Algorithm, 2.2 to 2.7). Joiners are left out: words need them.
 */
const UNPRINTABLE =
  // deno-lint-ignore no-control-regex -- these are meant
  /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g;

/**
 * Why a new file or folder may not be called so, in words that follow its name; undefined where it
 * may. Pure.
 */
export function problemOfNewName(name: string): string | undefined {
  const codes = new Set([...name.matchAll(UNPRINTABLE)].map(([found]) => codeOf(found)));
  if (codes.size === 0) return undefined;
  const what = codes.size === 1 ? "the control character" : "the control characters";
  return `cannot be made: its name holds ${what} ${[...codes].join(", ")}, leave that out`;
}

/** A name with its control characters as they are written in JSON. */
export function shownName(name: string): string {
  return name.replace(UNPRINTABLE, (found) => `\\u${hexOf(found)}`);
}

function codeOf(character: string): string {
  return `U+${hexOf(character).toUpperCase()}`;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}
