/**
 * The text of a command with what was typed behind its name put in: `$ARGUMENTS` is all of it, `$1`
 * to `$9` are its words, `$$` is a dollar. Where the text takes no argument, it follows the text. What
 * is put in is not read again.
 */
export function expandCommand(body: string, argument: string): string {
  const words = wordsOf(argument);
  let takes = false;
  const text = body.replace(/\$(?:(\$)|(ARGUMENTS)\b|([1-9]))/g, (_, dollar, all, number) => {
    if (dollar) return "$";
    takes = true;
    return all ? argument : words[Number(number) - 1] ?? "";
  });
  return takes || argument === "" ? text.trim() : `${text.trim()}\n\n${argument}`;
}

/**
 * Words between blanks; one that stands in quotes of either kind may hold blanks, and a backslash
 * takes one along. A quote inside a word is a letter of it, as in "it's".
 */
export function wordsOf(argument: string): string[] {
  const words: string[] = [];
  for (const [bare, double, single] of argument.matchAll(WORD)) {
    words.push(
      double?.replace(/\\(["\\])/g, "$1") ?? single ?? bare.replace(/\\([\s\\"'])/g, "$1"),
    );
  }
  return words;
}

const WORD = /"((?:\\.|[^"\\])*)"(?!\S)|'([^']*)'(?!\S)|(?:\\\s|\S)+/gs;
