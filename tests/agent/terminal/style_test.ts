import { deepStrictEqual } from "node:assert/strict";
import { styleFor } from "../../../agent/terminal/style.ts";

function style(variables: Readonly<Record<string, string>>, isTerminal = true) {
  return styleFor({ flag: "auto", isTerminal, env: (name) => variables[name] });
}

Deno.test("styleFor() marks up by flag, then by variables, then where a terminal is", () => {
  const cases: [variables: Record<string, string>, isTerminal: boolean, plain: boolean][] = [
    [{}, true, false],
    [{}, false, true],
    [{ NO_COLOR: "1" }, true, true],
    [{ NO_COLOR: "" }, true, false],
    [{ FORCE_COLOR: "1" }, false, false],
    [{ FORCE_COLOR: "0" }, false, true],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, true],
    [{ TERM: "dumb" }, true, true],
    [{ CLICOLOR: "0" }, true, true],
  ];
  for (const [variables, isTerminal, plain] of cases) {
    deepStrictEqual(style(variables, isTerminal).plain, plain, JSON.stringify(variables));
  }
  const env = () => "1";
  deepStrictEqual(styleFor({ flag: "never", isTerminal: true, env }).plain, true);
  deepStrictEqual(styleFor({ flag: "always", isTerminal: false, env }).plain, false);
});

Deno.test("styleFor() draws ASCII where the locale says so", () => {
  const cases: [variables: Record<string, string>, unicode: boolean][] = [
    [{}, true],
    [{ LANG: "en_US.UTF-8" }, true],
    [{ LANG: "de_DE.utf8" }, true],
    [{ LANG: "C" }, false],
    [{ LANG: "de_DE@euro" }, false],
    [{ LC_ALL: "C", LANG: "en_US.UTF-8" }, false],
    [{ LC_ALL: "", LC_CTYPE: "en_US.UTF-8", LANG: "C" }, true],
  ];
  for (const [variables, unicode] of cases) {
    deepStrictEqual(style(variables).unicode, unicode, JSON.stringify(variables));
  }
});

Deno.test("styleFor() makes links where the terminal is known to follow them", () => {
  const link = "\x1b]8;;https://a.b\x1b\\x\x1b]8;;\x1b\\";
  const cases: [variables: Record<string, string>, isTerminal: boolean, want: string][] = [
    [{ TERM_PROGRAM: "WezTerm" }, true, link],
    [{ VTE_VERSION: "7600" }, true, link],
    [{ VTE_VERSION: "4205" }, true, "x"],
    [{ TERM: "xterm-kitty" }, true, link],
    [{ TERM: "xterm-256color" }, true, "x"],
    [{ TERM_PROGRAM: "WezTerm", NO_COLOR: "1" }, true, "x"],
    [{ TERM_PROGRAM: "WezTerm", FORCE_COLOR: "1" }, false, "x"],
  ];
  for (const [variables, isTerminal, want] of cases) {
    deepStrictEqual(style(variables, isTerminal).link("x", "https://a.b"), want);
  }
});
