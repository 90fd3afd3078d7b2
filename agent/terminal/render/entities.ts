import { drawable } from "./columns.ts";

/** Names of HTML that models write; others stay as they are. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  copy: "©",
  gt: ">",
  hellip: "…",
  larr: "←",
  laquo: "«",
  lt: "<",
  mdash: "—",
  middot: "·",
  nbsp: "\u00a0",
  ndash: "–",
  quot: '"',
  raquo: "»",
  rarr: "→",
  times: "×",
};

/** Text with character references of HTML replaced, but for those that would act on a terminal. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g, decodeOne);
}

function decodeOne(
  whole: string,
  decimal: string | undefined,
  hexadecimal: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name] ?? whole : whole;
  const code = decimal === undefined ? parseInt(hexadecimal ?? "", 16) : Number(decimal);
  if (code < 0x20 || code > 0x10ffff || code >= 0xd800 && code <= 0xdfff) return whole;
  const character = String.fromCodePoint(code);
  return drawable(character) === character ? character : whole;
}
