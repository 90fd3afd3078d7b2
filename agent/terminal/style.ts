/** Marks up text for a terminal, or leaves it plain. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
}

const PLAIN: Style = { bold: same, dim: same, red: same };

const ANSI: Style = {
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
  red: (text) => `\x1b[31m${text}\x1b[39m`,
};

/** What decides about colour: `--color`, then the variables of no-color.org and bixense.com. */
export interface ColorFacts {
  readonly flag: "auto" | "always" | "never";
  readonly isTerminal: boolean;
  readonly env: (name: string) => string | undefined;
}

/** The style that a stream takes. */
export function styleFor({ flag, isTerminal, env }: ColorFacts): Style {
  if (flag !== "auto") return flag === "always" ? ANSI : PLAIN;
  if (env("NO_COLOR")) return PLAIN;
  if (isSet(env("FORCE_COLOR")) || isSet(env("CLICOLOR_FORCE"))) return ANSI;
  if (env("TERM") === "dumb" || env("CLICOLOR") === "0") return PLAIN;
  return isTerminal ? ANSI : PLAIN;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0";
}

function same(text: string): string {
  return text;
}
