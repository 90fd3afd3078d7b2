import { EXIT_MEANINGS } from "../exit_code.ts";
import { GROUPS, valueText } from "./help.ts";
import { type Command, COMMANDS } from "./commands.ts";
import type { Option } from "./option.ts";
import { OPTIONS } from "./options.ts";

/** The man page, in the man macros that every troff knows. */
export function manPage(version: string): string {
  return `${
    [
      `.TH CORDON 1 "" "cordon ${roff(version)}" "User Commands"`,
      ...section("NAME", [
        "cordon \\- a coding agent inside a set of rights that it knows, shows and enforces",
      ]),
      ...section("SYNOPSIS", [
        ".B cordon",
        "[OPTIONS] [PROMPT] [@FILE ...]",
        ".br",
        ".B cordon \\-p",
        "[OPTIONS] PROMPT [@FILE ...]",
        ".br",
        ".B cordon",
        "COMMAND [OPTIONS]",
      ]),
      ...section("DESCRIPTION", [
        roff(
          "Without a command it is a conversation at the terminal, with -p one task for scripts.",
        ),
        roff("A word @FILE brings a text or an image along; @@ begins a word with @."),
        roff("A single - reads the prompt from stdin, -- ends the options."),
      ]),
      ...section("COMMANDS", Object.entries<Command>(COMMANDS).flatMap(commandItem)),
      ...GROUPS.flatMap(([group, title]) =>
        section(`OPTIONS: ${title.toUpperCase()}`, groupItems(group))
      ),
      ...section("ENVIRONMENT", [
        roff(
          "OPENAI_API_KEY, OPENAI_BASE_URL, and CORDON_NAME for every option that does not widen",
        ),
        roff("rights, as CORDON_MODEL."),
      ]),
      ...section("FILES", [
        ...item("$XDG_CONFIG_HOME/cordon/config.jsonc", "settings of the person"),
        ...item(".cordon/config.jsonc", "settings of the project, see cordon trust"),
        ...item("/etc/xdg/cordon/config.jsonc", "settings of the machine"),
        ...item("$XDG_STATE_HOME/cordon", "sessions and other state"),
      ]),
      ...section(
        "EXIT STATUS",
        EXIT_MEANINGS.flatMap(([code, meaning]) => item(`${code}`, meaning)),
      ),
    ].join("\n")
  }\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return [`.SH ${title}`, ...lines];
}

function commandItem([name, { operand, help }]: [string, Command]): string[] {
  return item(operand === undefined ? name : `${name} ${operand}`, help);
}

function groupItems(group: Option["group"]): string[] {
  return Object.entries<Option>(OPTIONS).flatMap(([name, option]) => {
    if (option.group !== group) return [];
    const short = option.short === undefined ? "" : `-${option.short}, `;
    return item(`${short}--${name}${valueText(option)}`, option.help);
  });
}

function item(term: string, text: string): string[] {
  return [".TP", `.B ${roff(term)}`, roff(text)];
}

/** Text that means itself in roff: no escapes, no requests, dashes that can be copied. */
function roff(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
