import {
  completedCommands,
  type CompletedOption,
  completedOptions,
  flagsOf,
  LIST_SESSIONS,
  type Values,
} from "./completions.ts";

/** A script that bash 3.2 or later sources: it completes `cordon`. */
export function bashCompletion(): string {
  const options = completedOptions();
  const commands = completedCommands();
  const names = commands.map(({ name }) => name);
  return `# bash completion for cordon, made by: cordon completion bash
_cordon_words() { COMPREPLY=($(compgen -W "$1" -- "$2")); }
_cordon_folders() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$1"))
}
_cordon() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} option command i
  COMPREPLY=()
  # bash takes --wire=chat for three words, and @file for two
  if [[ $current == = ]]; then option=$before= current=
  elif [[ $before == = ]]; then option=\${COMP_WORDS[COMP_CWORD - 2]}=
  elif [[ $before == @ ]]; then return
  else option=$before; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${names.join("|")}) command=\${COMP_WORDS[i]}; break ;;
      --) return ;;
    esac
  done
  case $option in
${options.flatMap(optionArm).join("\n")}
  esac
  if [[ $current == -* ]]; then
    local options="${flagList(options.filter(({ only }) => only === undefined))}"
    case $command in
${ownOptions(options).join("\n")}
    esac
    _cordon_words "$options" "$current"
    return
  fi
  case $command in
    '') _cordon_words "${names.join(" ")}" "$current" ;;
${
    commands.flatMap(({ name, values }) => values ? [`    ${name}) ${action(values)} ;;`] : [])
      .join("\n")
  }
  esac
}
# what it does not know is completed as a file
complete -o default -F _cordon cordon
`;
}

/** A value that may be left out is never the next word. */
function optionArm(option: CompletedOption): string[] {
  if (!option.values) return [];
  const bound = `--${option.name}=`;
  const patterns = option.optional ? [bound] : [...flagsOf(option), bound];
  return [`    ${patterns.join("|")}) ${action(option.values)}; return ;;`];
}

function action(values: Values): string {
  switch (values.kind) {
    case "words":
      return `_cordon_words "${values.words.join(" ")}" "$current"`;
    case "sessions":
      return `_cordon_words "$(${LIST_SESSIONS})" "$current"`;
    case "folders":
      return '_cordon_folders "$current"';
    case "files":
    case "text":
      return ":";
  }
}

/** The options of sub-commands that have some of their own. */
function ownOptions(options: readonly CompletedOption[]): string[] {
  const commands = new Set(options.flatMap(({ only }) => only ?? []));
  return [...commands].map((command) => {
    const own = options.filter(({ only }) => only?.includes(command));
    return `      ${command}) options="$options ${flagList(own)}" ;;`;
  });
}

function flagList(options: readonly CompletedOption[]): string {
  return options.flatMap(flagsOf).join(" ");
}
