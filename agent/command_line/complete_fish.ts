import {
  completedCommands,
  type CompletedOption,
  completedOptions,
  LIST_SESSIONS,
  type Values,
} from "./completions.ts";

/** A script that fish 3 or later sources: it completes `cordon`. */
export function fishCompletion(): string {
  const commands = completedCommands();
  const names = commands.map(({ name }) => name).join(" ");
  return [
    "# fish completion for cordon, made by: cordon completion fish",
    ...commands.map(({ name, help }) =>
      `complete -c cordon -n 'not __fish_seen_subcommand_from ${names}' -a ${name} -d ${
        quoted(help)
      }`
    ),
    ...commands.flatMap(({ name, values }) =>
      values ? [`complete -c cordon -n ${seen([name])} ${valuesText(values)}`] : []
    ),
    ...completedOptions().map(optionLine),
    "",
  ].join("\n");
}

function optionLine(option: CompletedOption): string {
  const { name, short, help, values, only, optional } = option;
  return [
    "complete -c cordon",
    ...(only ? [`-n ${seen(only)}`] : []),
    `-l ${name}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(values ? [optional ? "" : "-r", valuesText(values)].filter((part) => part !== "") : []),
    `-d ${quoted(help)}`,
  ].join(" ");
}

function valuesText(values: Values): string {
  switch (values.kind) {
    case "words":
      return `-f -a ${quoted(values.words.join(" "))}`;
    case "sessions":
      return `-f -a ${quoted(`(${LIST_SESSIONS})`)}`;
    case "folders":
      return "-f -a '(__fish_complete_directories (commandline -ct))'";
    case "files":
      return "-F";
    case "text":
      return "-f";
  }
}

function seen(commands: readonly string[]): string {
  return quoted(`__fish_seen_subcommand_from ${commands.join(" ")}`);
}

/** Inside single quotes fish knows two escapes. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
