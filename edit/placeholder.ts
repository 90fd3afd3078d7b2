import { linesOf, trimBlanks } from "./text.ts";

/**
 * A comment sign and an ellipsis at the start of a line: `# ...`, `// … rest`, `<!-- ... -->`. Dots
 * further back in a comment are prose, and a longer row of dots is decoration.
 */
const OMISSION = /^(?:#+|\/\/+|--|;+|%+|<!--|\/\*+|\{\/\*)[ \t]*(?:\.\.\.(?!\.)|…)/;

/** True for a line that says in a comment that code was left out here. */
export function isOmission(line: string): boolean {
  return OMISSION.test(trimBlanks(line));
}

/**
 * The first line of a new text that would write an omission comment into the file; lines that
 * `before` holds, whatever their indentation, are real text.
 */
export function leakedOmission(fresh: string, before: string): string | undefined {
  const leaks = linesOf(fresh).filter(isOmission).map(trimBlanks);
  if (leaks.length === 0) return undefined;
  const known = new Set(linesOf(before).map(trimBlanks));
  return leaks.find((line) => !known.has(line));
}
