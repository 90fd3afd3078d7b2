import {
  type CompletedCommand,
  completedCommands,
  type CompletedOption,
  completedOptions,
  LIST_SESSIONS,
  type Values,
} from "./completions.ts";

/** A script that zsh 5 or later sources after compinit, or loads as `_cordon`: it completes `cordon`. */
export function zshCompletion(): string {
  const commands = completedCommands();
  const options = completedOptions();
  const shared = options.filter(({ only }) => only === undefined);
  const own = options.filter(({ only }) => only !== undefined);
  return `#compdef cordon
# zsh completion for cordon, made by: cordon completion zsh
_cordon_sessions() {
  local -a ids
  ids=(\${(f)"$(${LIST_SESSIONS})"})
  compadd -a ids
}
_cordon_commands() {
  local -a commands
  commands=(
${commands.map(({ name, help }) => `    ${quoted(`${name}:${help}`)}`).join("\n")}
  )
  _describe command commands
  _files
}
_cordon_operands() {
  case ${wordAmong(commands.map(({ name }) => name))} in
${commands.flatMap(operandArm).join("\n")}
    *) _files ;;
  esac
}
_cordon() {
  local -a own
  case ${wordAmong([...new Set(own.flatMap(({ only }) => only ?? []))])} in
${ownArms(own).join("\n")}
  esac
  _arguments -s \\
${shared.flatMap(specs).map((spec) => `    ${spec} \\`).join("\n")}
    $own \\
    '1: :_cordon_commands' '*: :_cordon_operands'
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _cordon "$@"; else compdef _cordon cordon; fi
`;
}

/** The first of the words on the line that is one of these. */
function wordAmong(names: readonly string[]): string {
  return `\${words[(r)(${names.join("|")})]}`;
}

function operandArm({ name, values }: CompletedCommand): string[] {
  // Files are what it offers where there is no arm.
  if (values?.kind !== "words" && values?.kind !== "sessions") return [];
  const action = values.kind === "words" ? `compadd ${values.words.join(" ")}` : "_cordon_sessions";
  return [`    ${name}) ${action} ;;`];
}

function ownArms(options: readonly CompletedOption[]): string[] {
  const commands = new Set(options.flatMap(({ only }) => only ?? []));
  return [...commands].map((command) => {
    const own = options.filter(({ only }) => only?.includes(command));
    return `    ${command}) own=(${own.flatMap(specs).join(" ")}) ;;`;
  });
}

/** The specs of `_arguments` for an option: of its long name, and of its short one. */
function specs(option: CompletedOption): string[] {
  const { name, short, help, values, optional, placeholder } = option;
  const told = `[${help.replaceAll(/[\[\]:\\]/g, "\\$&")}]`;
  const action = values ? `:${placeholder}:${actionOf(values)}` : "";
  const long = values ? `${name}=${optional ? "-" : ""}` : name;
  return [
    quoted(`*--${long}${told}${optional && action ? `:${action}` : action}`),
    ...(short === undefined ? [] : [quoted(`*-${short}${told}${optional ? "" : action}`)]),
  ];
}

function actionOf(values: Values): string {
  switch (values.kind) {
    case "words":
      return `(${values.words.join(" ")})`;
    case "sessions":
      return "_cordon_sessions";
    case "folders":
      return "_files -/";
    case "files":
      return "_files";
    case "text":
      return " ";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
