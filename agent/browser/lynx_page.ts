/** A page as lynx shows it. */
export interface LynxPage {
  /** With `[ref=3]` before the text of the third link. */
  readonly text: string;
  /** Where links lead, by their number. */
  readonly links: ReadonlyMap<number, string>;
}

/** The line after which `lynx -dump` lists where links lead. */
const LIST = /\n+References\n+/g;

/** Reads what `lynx -dump` wrote. Pure; a page can say anything, so a link is no more than its words. */
export function readLynxPage(dump: string): LynxPage {
  const at = [...dump.matchAll(LIST)].at(-1);
  if (!at) return { text: dump.trimEnd(), links: new Map() };
  const list = dump.slice(at.index + at[0].length);
  const links = new Map(
    [...list.matchAll(/^ *(\d+)\. (\S.*)$/gm)].map(([, number = "", url = ""]) =>
      [Number(number), url.trim()] as const
    ),
  );
  const text = dump.slice(0, at.index).trimEnd().replaceAll(
    /\[(\d+)\]/g,
    (mark, number: string) => links.has(Number(number)) ? `[ref=${number}]` : mark,
  );
  return { text, links };
}

/** The lines that hold a text, whatever its case. Pure. */
export function linesWith(text: string, wanted: string, maxLines = 100): string {
  const lines = text.split("\n").filter((line) =>
    line.toLowerCase().includes(wanted.toLowerCase())
  );
  if (lines.length === 0) return "(the page has no line with this text)";
  const more = lines.length - maxLines;
  return [...lines.slice(0, maxLines), ...(more > 0 ? [`(${more} more)`] : [])].join("\n");
}
