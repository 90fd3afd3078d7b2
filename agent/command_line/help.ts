import { EXIT_MEANINGS } from "../exit_code.ts";
import { COMMANDS } from "./commands.ts";
import type { Option } from "./option.ts";
import { OPTIONS } from "./options.ts";

/** The groups of options, in order, each with its title. */
export const GROUPS: readonly [Option["group"], string][] = [
  ["task", "Task"],
  ["model", "Model"],
  ["output", "Output"],
  ["session", "Sessions"],
  ["rights", "Rights"],
  ["batch", "Batch"],
  ["other", "Other"],
];

/** The text of `cordon --help`, at most 80 columns wide. */
export function helpText(version: string): string {
  return [
    `cordon ${version}: a coding agent in a set of rights that it shows and enforces`,
    "",
    "Usage: cordon [OPTIONS] [PROMPT]       a conversation",
    "       cordon -p [OPTIONS] PROMPT      one task, for scripts",
    "       cordon COMMAND [OPTIONS]",
    "       A word @FILE brings a text or an image along; @@ begins a word with @.",
    "       With -p, - stands for what stdin brings.",
    "",
    "Commands:",
    ...Object.entries(COMMANDS).map(([name, command]) =>
      row("operand" in command ? `${name} ${command.operand}` : name, command.help)
    ),
    ...GROUPS.flatMap(([group, title]) => ["", `${title}:`, ...optionRows(group)]),
    "",
    ...filled(ENVIRONMENT, WIDTH),
    "",
    ...filled(
      `Exit codes: ${EXIT_MEANINGS.map((meaning) => meaning.join(" ")).join(", ")}.`,
      WIDTH,
    ),
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

const ENVIRONMENT =
  "Environment: OPENAI_API_KEY, OPENAI_BASE_URL, and CORDON_NAME for every option that does " +
  "not widen rights, as CORDON_MODEL. Without any --allow-*, Cordon may read and write the " +
  "folder and its state, run programs, and reach the model; one --allow-* replaces all of " +
  "these, as in Deno.";

/** Of the whole text, in columns: that of a terminal nobody has widened. */
const WIDTH = 80;

/** A paragraph in lines of at most `width` columns, broken between words. */
function filled(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Where the explanations begin; a longer left part pushes its explanation to the next line. */
const COLUMN = 32;

function row(left: string, right: string): string {
  const start = `  ${left}`;
  const lines = filled(right, WIDTH - COLUMN);
  const indented = lines.map((line) => " ".repeat(COLUMN) + line);
  return start.length < COLUMN - 1
    ? start.padEnd(COLUMN) + indented.join("\n").slice(COLUMN)
    : [start, ...indented].join("\n");
}
