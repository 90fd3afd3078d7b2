import { type Style, styleFor } from "../../../../agent/terminal/style.ts";

const nothing = () => undefined;

/** Marks up nothing. */
export const plain: Style = styleFor({ flag: "never", isTerminal: true, env: nothing });

/** The same where only ASCII can be drawn. */
export const ascii: Style = styleFor({
  flag: "never",
  isTerminal: true,
  env: variable("LANG", "C"),
});

/** Colours, and no links. */
export const colored: Style = styleFor({ flag: "always", isTerminal: true, env: nothing });

/** Colours and links. */
export const linking: Style = styleFor({
  flag: "always",
  isTerminal: true,
  env: variable("TERM_PROGRAM", "WezTerm"),
});

/** Words for what each function of a style marks up, so that expectations can be read. */
export const named: Style = {
  ...plain,
  plain: false,
  bold: (text) => `<b>${text}</b>`,
  red: (text) => `<red>${text}</red>`,
  green: (text) => `<green>${text}</green>`,
  yellow: (text) => `<yellow>${text}</yellow>`,
  inverse: (text) => `<inverse>${text}</inverse>`,
};

/** A line as it is seen: without colours and links. */
export function unmarked(line: string): string {
  // deno-lint-ignore no-control-regex
  return line.replaceAll(/\x1b\[\d+m/g, "").replaceAll(/\x1b\]8;;[\x21-\x7e]*\x1b\\/g, "");
}

/** Whether something in a line would act on a terminal, its markup apart. */
export function acts(line: string): boolean {
  return /[\p{Cc}\p{Bidi_Control}]/u.test(unmarked(line));
}

function variable(name: string, value: string): (asked: string) => string | undefined {
  return (asked) => asked === name ? value : undefined;
}
