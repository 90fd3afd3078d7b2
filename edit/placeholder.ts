import { linesOf, trimBlanks } from "./text.ts";

/** A comment sign and an ellipsis at the start of a line, and what stands behind them. */
const OMISSION = /^(?:#+|\/\/+|--|;+|%+|<!--|\/\*+|\{\/\*|"""|''')[ \t]*(?:\.\.\.(?!\.)|…)(.*)$/s;

/** A word right behind the dots: `...args` is code or prose, `...existing code...` is not. */
const WORD = /^[A-Za-z_$]/;
const LEFT_OUT =
  /(?:\.\.\.|…)|\b(?:existing|remaining|rest|more|code|body|unchanged|omitted|same|other|snip)\b/i;

/**
 * True for a line that says in a comment that code was left out here: `# ...`, `// … rest`,
 * `<!-- ... -->`. Dots at the end of a comment are prose, and a longer row of dots is decoration.
 */
export function isOmission(line: string): boolean {
  const behind = OMISSION.exec(trimBlanks(line))?.[1];
  return behind !== undefined && (!WORD.test(behind) || LEFT_OUT.test(behind));
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
