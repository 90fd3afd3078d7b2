/** Marks up one line of text, or leaves it as it is. */
export type Paint = (text: string) => string;

/** How text is marked up on one terminal. Every function leaves the text's columns as they are. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly strike: Paint;
  readonly inverse: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly magenta: Paint;
  readonly cyan: Paint;
  /** Nothing is marked up: what markup tells must be told in characters. */
  readonly plain: boolean;
  /** Characters past ASCII can be drawn. */
  readonly unicode: boolean;
  /** Makes text a link (OSC 8), where the terminal is known to follow it. */
  link(text: string, url: string): string;
}

const PLAIN: Omit<Style, "unicode"> = {
  bold: same,
  dim: same,
  italic: same,
  underline: same,
  strike: same,
  inverse: same,
  red: same,
  green: same,
  yellow: same,
  blue: same,
  magenta: same,
  cyan: same,
  plain: true,
  link: same,
};

// Select Graphic Rendition of ECMA-48: what begins it, and what ends it.
const ANSI: Omit<Style, "unicode" | "link"> = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  italic: sgr(3, 23),
  underline: sgr(4, 24),
  strike: sgr(9, 29),
  inverse: sgr(7, 27),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  blue: sgr(34, 39),
  magenta: sgr(35, 39),
  cyan: sgr(36, 39),
  plain: false,
};

/** What decides about markup: `--color`, then the variables of no-color.org and bixense.com. */
export interface ColorFacts {
  readonly flag: "auto" | "always" | "never";
  readonly isTerminal: boolean;
  readonly env: (name: string) => string | undefined;
}

/** The style that a stream takes. */
export function styleFor(facts: ColorFacts): Style {
  const unicode = drawsUnicode(facts.env);
  if (!isColored(facts)) return { ...PLAIN, unicode };
  const link = facts.isTerminal && followsLinks(facts.env) ? osc8 : same;
  return { ...ANSI, unicode, link };
}

function isColored({ flag, isTerminal, env }: ColorFacts): boolean {
  if (flag !== "auto") return flag === "always";
  if (env("NO_COLOR")) return false;
  if (isSet(env("FORCE_COLOR")) || isSet(env("CLICOLOR_FORCE"))) return true;
  if (env("TERM") === "dumb" || env("CLICOLOR") === "0") return false;
  return isTerminal;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0";
}

/** By the locale, as POSIX ranks its variables. Where none is set, as in containers, it is likely. */
function drawsUnicode(env: ColorFacts["env"]): boolean {
  const locale = env("LC_ALL") || env("LC_CTYPE") || env("LANG");
  return !locale || /utf-?8/i.test(locale);
}

/** Terminals that say who they are and document OSC 8; within others it may print rubbish. */
function followsLinks(env: ColorFacts["env"]): boolean {
  const program = env("TERM_PROGRAM") ?? "";
  if (/^(iTerm\.app|WezTerm|vscode|ghostty)$/i.test(program)) return true;
  // VTE (GNOME Terminal and its kin) has them since 0.50.
  if (Number(env("VTE_VERSION") ?? 0) >= 5000 || env("WT_SESSION")) return true;
  return /^(xterm-kitty|foot|alacritty)/.test(env("TERM") ?? "");
}

function sgr(begin: number, end: number): Paint {
  return (text) => `\x1b[${begin}m${text}\x1b[${end}m`;
}

/** @see https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda */
function osc8(text: string, url: string): string {
  return `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`;
}

function same(text: string): string {
  return text;
}
