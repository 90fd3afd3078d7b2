/** A file that a prompt mentions. */
export interface Mention {
  /** As it was meant, quotes and what follows a word cut. */
  readonly name: string;
  /** The same with what could be the sentence's: `a.ts,` is a name, too. */
  readonly longer: string;
}

/** A word that begins with `@`, or whose rest is in quotes; a backslash keeps a blank in the word. */
const MENTION = /(?<=^|[\s(\[{,;])@(?:"((?:\\.|[^"\\\n])*)"|((?:\\.|[^\s"\\])(?:\\.|[^\s\\])*))/gu;

/** Signs that end a sentence or a bracket, and seldom a file's name. */
const AFTER_NAME = /[.,;:!?)\]}'"]+$/;

/** What a prompt mentions by `@name` or `@"name with blanks"`, in order, each once. */
export function mentionsIn(prompt: string): Mention[] {
  const found = new Map<string, Mention>();
  for (const [, quoted, bare] of prompt.matchAll(MENTION)) {
    const longer = unescaped(quoted ?? bare ?? "");
    const name = quoted === undefined ? longer.replace(AFTER_NAME, "") : longer;
    if (name !== "" && !name.startsWith("@")) found.set(longer, { name, longer });
  }
  return [...found.values()];
}

/** A mention of a file as it is typed: in quotes where its name would not be one word. */
export function mentionOf(name: string): string {
  if (/^[^\s"\\@][^\s"\\]*$/u.test(name) && !AFTER_NAME.test(name)) return `@${name}`;
  return `@"${name.replace(/["\\]/g, "\\$&")}"`;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gu, "$1");
}
