/**
 * What a terminal obeys or a person cannot see: controls, bidirectional marks and other formats,
 * blanks that are no space, letters that are drawn as nothing, halves of characters.
 */
const UNSEEN = /[^\P{C}\n\t]|(?! )\p{Z}|\p{Default_Ignorable_Code_Point}|\u2800/gu;

/**
 * Text whose every character is seen and none obeyed: what is unseen stands as `<U+001B>`. Line
 * feeds stay; a tab becomes the blanks that it is taken for.
 */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, nameOf).replaceAll("\t", "    ");
}

/** The same on one line; a line feed stands as `\n`. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "\\n");
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
