import { columnsOf, graphemesOf } from "../../agent/terminal/render/columns.ts";

/** A piece of a line, all of it drawn alike. */
interface Piece {
  readonly text: string;
  readonly color: string | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
}

type Look = Omit<Piece, "text">;

const BARE: Look = {
  color: undefined,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
};

/** Colours 30 to 37 of ECMA-48 on a light ground, each with a contrast of 4.5 at least. */
const COLORS = [
  ...["#1f2328", "#b3261e", "#1a6e2e", "#7a5200", "#0a55b8", "#8a2fa8", "#0b6b7a", "#57606a"],
];

/** Of one character, in units of the picture. */
const COLUMN = 8.4;
const ROW = 19;
const MARGIN = 16;

/**
 * A picture of a terminal from its text with markup (as `tmux capture-pane -e` gives it). Text stays
 * text, so that it can be read aloud, searched and copied; no font is brought along. Pure.
 */
export function terminalSvg(screen: string, columns: number, title: string): string {
  const lines = screen.split("\n");
  const width = Math.ceil(columns * COLUMN) + 2 * MARGIN;
  const height = lines.length * ROW + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#fbfbfa" stroke="#d5d5d0"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" ` +
    `font-size="14" fill="#1f2328">`,
    ...linesOf(lines),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** The text of a screen without its markup. */
export function unmarked(screen: string): string {
  return screen.replaceAll(MARKUP, "");
}

// deno-lint-ignore no-control-regex -- markup is made of them
const MARKUP = /\x1b\[([0-9;]*)m/g;

function linesOf(lines: readonly string[]): string[] {
  let look = BARE;
  return lines.flatMap((line, index) => {
    const { pieces, next } = piecesOf(line, look);
    look = next;
    const y = MARGIN + index * ROW + 14;
    const spans = placed(pieces);
    return spans === "" ? [] : [`<text y="${y}">${spans}</text>`];
  });
}

/** Each run of words begins at its column, so that no font and no rule for blanks can shift a table. */
function placed(pieces: readonly Piece[]): string {
  let column = 0;
  return pieces.flatMap((piece) => {
    const from = column;
    column += columnsOf(piece.text);
    return Array.from(piece.text.matchAll(/\S+(?: \S+)*/g), ({ 0: words, index }) => {
      const x = MARGIN + (from + columnsOf(piece.text.slice(0, index))) * COLUMN;
      const length = columnsOf(words) * COLUMN;
      const place = `x="${x.toFixed(1)}" textLength="${length.toFixed(1)}"`;
      return `<tspan ${place}${looks(piece)}>${escaped(words)}</tspan>`;
    });
  }).join("");
}

function looks({ color, isBold, isDim, isItalic, isUnderlined }: Look): string {
  return [
    color === undefined ? (isDim ? ' fill="#6a737d"' : "") : ` fill="${color}"`,
    isBold ? ' font-weight="bold"' : "",
    isItalic ? ' font-style="italic"' : "",
    isUnderlined ? ' text-decoration="underline"' : "",
  ].join("");
}

/** The pieces of a line, and how the next begins. Wide characters are pieces of their own. */
function piecesOf(line: string, before: Look): { pieces: Piece[]; next: Look } {
  const pieces: Piece[] = [];
  let look = before;
  let from = 0;
  const add = (text: string) => {
    for (const part of partsOf(text)) pieces.push({ ...look, text: part });
  };
  for (const mark of line.matchAll(MARKUP)) {
    add(line.slice(from, mark.index));
    look = changed(look, (mark[1] ?? "").split(";").map(Number));
    from = mark.index + mark[0].length;
  }
  add(line.slice(from));
  return { pieces, next: look };
}

/** A font for wide characters is another one, and its columns seldom are two of ours. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let isNarrow = false;
  for (const character of graphemesOf(text)) {
    const narrow = columnsOf(character) === 1;
    if (narrow && isNarrow) parts.push((parts.pop() ?? "") + character);
    else parts.push(character);
    isNarrow = narrow;
  }
  return parts;
}

function changed(look: Look, codes: readonly number[]): Look {
  return codes.reduce(changedBy, look);
}

function changedBy(look: Look, code: number): Look {
  switch (code) {
    case 0:
      return BARE;
    case 1:
      return { ...look, isBold: true };
    case 2:
      return { ...look, isDim: true };
    case 3:
      return { ...look, isItalic: true };
    case 4:
      return { ...look, isUnderlined: true };
    case 22:
      return { ...look, isBold: false, isDim: false };
    case 23:
      return { ...look, isItalic: false };
    case 24:
      return { ...look, isUnderlined: false };
    case 39:
      return { ...look, color: undefined };
    default:
      return code >= 30 && code <= 37 ? { ...look, color: COLORS[code - 30] } : look;
  }
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
