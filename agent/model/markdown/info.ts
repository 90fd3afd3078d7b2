/** What stands after the tag in a fence's info string, in order. */
export type InfoPart =
  | { readonly kind: "word"; readonly text: string }
  /** `name=value`, the name unquoted. */
  | { readonly kind: "pair"; readonly name: string; readonly text: string; readonly raw: string };

/** An info string as read; `problem` where a quote is not closed. */
export type Info =
  | { readonly ok: true; readonly tag: string; readonly parts: readonly InfoPart[] }
  | { readonly ok: false; readonly tag: string; readonly problem: string };

const PAIR = /^([A-Za-z_][A-Za-z0-9_]*)=/;

/**
 * Reads an info string: the tag, then words and `name=value` pairs, separated by blanks. Quotes
 * `"…"` or `'…'` around a word or value keep blanks; inside them only the quote itself is escaped,
 * by a backslash, since paths and patterns are full of others.
 */
export function readInfo(info: string): Info {
  const tag = tagOf(info);
  const parts: InfoPart[] = [];
  let rest = info.slice(tag.length).trimStart();
  while (rest !== "") {
    const name = PAIR.exec(rest)?.[1];
    const value = readValue(name === undefined ? rest : rest.slice(name.length + 1));
    if (value === undefined) {
      return { ok: false, tag, problem: "a quote after the tool's name is not closed" };
    }
    const { text, after } = value;
    const raw = rest.slice(0, rest.length - after.length);
    parts.push(name === undefined ? { kind: "word", text } : { kind: "pair", name, text, raw });
    rest = after.trimStart();
  }
  return { ok: true, tag, parts };
}

/** The first word of an info string: the block's language. */
export function tagOf(info: string): string {
  return /^\S*/.exec(info)?.[0] ?? "";
}

/** Writes a word so that {@linkcode readInfo} reads it back; undefined where no form can hold it. */
export function writeWord(text: string): string | undefined {
  if (/[\r\n`]/.test(text)) return undefined;
  if (/^[^\s"'=]+$/.test(text)) return text;
  return `"${text.replaceAll('"', '\\"')}"`;
}

function readValue(text: string): { text: string; after: string } | undefined {
  const quote = text.charAt(0);
  if (quote !== '"' && quote !== "'") {
    const word = /^\S*/.exec(text)?.[0] ?? "";
    return { text: word, after: text.slice(word.length) };
  }
  const quoted = quote === '"'
    ? /^"((?:[^"\\]|\\.)*)"(?=\s|$)/s.exec(text)
    : /^'((?:[^'\\]|\\.)*)'(?=\s|$)/s.exec(text);
  if (!quoted) return undefined;
  const [whole, inside = ""] = quoted;
  return { text: inside.replaceAll(`\\${quote}`, quote), after: text.slice(whole.length) };
}
