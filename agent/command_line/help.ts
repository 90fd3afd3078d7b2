import { EXIT_MEANINGS } from "../exit_code.ts";
import { COMMANDS, type Option, OPTIONS } from "./options.ts";

/** The groups of options, in order, each with its title. */
export const GROUPS: readonly [Option["group"], string][] = [
  ["task", "Task"],
  ["model", "Model"],
  ["output", "Output"],
  ["session", "Sessions"],
  ["rights", "Rights"],
  ["other", "Other"],
];

/** The text of `cordon --help`, at most 100 columns wide. */
export function helpText(version: string): string {
  return [
    `cordon ${version}: a coding agent inside a set of rights that it knows, shows and enforces`,
    "",
    "Usage: cordon [OPTIONS] [PROMPT]       a conversation",
    "       cordon -p [OPTIONS] PROMPT      one task, for scripts (- reads the prompt from stdin)",
    "       cordon COMMAND [OPTIONS]",
    "       A word @FILE brings a text or an image along; @@ begins a word with @.",
    "",
    "Commands:",
    ...Object.entries(COMMANDS).map(([name, command]) =>
      row("operand" in command ? `${name} ${command.operand}` : name, command.help)
    ),
    ...GROUPS.flatMap(([group, title]) => ["", `${title}:`, ...optionRows(group)]),
    "",
    "Environment: OPENAI_API_KEY, OPENAI_BASE_URL, and CORDON_NAME for every option that does not",
    "widen rights, as CORDON_MODEL. Without any --allow-*, Cordon may read and write the folder and",
    "its state, run programs, and reach the model; one --allow-* replaces all of these, as in Deno.",
    "",
    ...filled(`Exit codes: ${EXIT_MEANINGS.map((meaning) => meaning.join(" ")).join(", ")}.`),
    "",
  ].join("\n");
}

function optionRows(group: Option["group"]): string[] {
  const entries: [string, Option][] = Object.entries(OPTIONS);
  return entries.filter(([, option]) => option.group === group).map(([name, option]) => {
    const short = option.short === undefined ? "    " : `-${option.short}, `;
    return row(`${short}--${name}${valueText(option)}`, option.help);
  });
}

/** What follows an option's name, as `=FILE`. */
export function valueText(option: Option): string {
  switch (option.kind) {
    case "toggle":
      return "";
    case "extent":
      return `[=${option.placeholder}]`;
    case "text":
      return option.optional ? `[=${option.placeholder}]` : `=${option.placeholder}`;
    case "choice":
      return `=${option.choices.join("|")}`;
    case "list":
    case "number":
      return `=${option.placeholder}`;
  }
}

/** A paragraph in lines of at most 95 columns. */
function filled(text: string): string[] {
  return (text.match(/.{1,95}(?=\s|$)/g) ?? []).map((line) => line.trimStart());
}

/** Where the explanations begin; a longer left part pushes its explanation to the next line. */
const COLUMN = 34;

function row(left: string, right: string): string {
  const start = `  ${left}`;
  return start.length < COLUMN - 1
    ? start.padEnd(COLUMN) + right
    : `${start}\n${" ".repeat(COLUMN)}${right}`;
}
