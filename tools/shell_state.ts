import type { ShellCall } from "../sandbox/commands/shell.ts";

/** The longest command that is run, in bytes: Linux gives arguments and environment 2 MB together. */
export const MAX_COMMAND_BYTES = 1_500_000;

/** The longest single argument of ours, in bytes; Linux takes 128 KB (MAX_ARG_STRLEN). */
const MAX_PIECE_BYTES = 100_000;

/** Variables that belong to bash or to one process (manual of bash, "Bash Variables"). */
const OWN_VARIABLES = [
  ..."BASH BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS".split(" "),
  ..."BASH_COMMAND BASH_EXECUTION_STRING BASH_LINENO BASH_LOADABLES_PATH".split(" "),
  ..."BASH_MONOSECONDS BASH_REMATCH BASH_SOURCE BASH_SUBSHELL BASH_TRAPSIG".split(" "),
  ..."BASH_VERSINFO BASH_VERSION BASH_XTRACEFD COMP_WORDBREAKS DIRSTACK EPOCHREALTIME".split(" "),
  ..."EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD HOSTTYPE LINENO MACHTYPE OPTERR OPTIND".split(" "),
  ..."OSTYPE PIPESTATUS POSIXLY_CORRECT PPID PWD RANDOM SECONDS SHELLOPTS SHLVL SRANDOM".split(" "),
  "UID",
  "_",
].join(" ");

/**
 * Writes the state as bash that brings it back, then the working folder, which says that the state
 * is whole. It runs in a subshell without standard error, so that nothing it changes is seen: in
 * there all that is not state is unset, and what declare then lists is the state.
 *
 * In POSIX mode special builtins are found before functions: so a function `builtin` can go. What
 * is written needs its order: plain words before functions that could shadow them. Options that
 * would stop or detach the next call (noexec, onecmd, monitor) do not outlive their own.
 */
const SAVE = `
__cordon_save() {
  POSIXLY_CORRECT=y
  set +aefuvxCET
  unset -f builtin
  unset -v POSIXLY_CORRECT
  builtin trap '' XFSZ
  builtin ulimit -S -f 1024
  [[ \${PWD-} == /* && $PWD -ef . ]] || builtin cd .
  __cordon_place=kept$'\\n'\${PWD-}
  [[ \${PWD-} == /* && $PWD -ef . ]] || __cordon_place=gone$'\\n'$__cordon_workspace
  __cordon_gone=
  for __cordon_name in "\${__cordon_exported[@]}"; do
    [[ -v $__cordon_name ]] || __cordon_gone+=" $__cordon_name"
  done
  __cordon_kept=$__cordon_options
  for __cordon_name in monitor noexec onecmd xtrace; do
    __cordon_kept=\${__cordon_kept/:$__cordon_name:/:}
  done
  __cordon_kept=\${__cordon_kept#:}
  __cordon_kept=\${__cordon_kept%:}
  __cordon_expand=-u
  [[ :$__cordon_shopts: == *:expand_aliases:* ]] && __cordon_expand=-s
  __cordon_trace=
  [[ $__cordon_options == *:xtrace:* ]] && __cordon_trace=1
  __cordon_names=()
  if ((\${#FUNCNAME[@]} > 2)); then
    builtin eval "$__cordon_define_globals"
    __cordon_find_globals "$((\${#FUNCNAME[@]} - 2))"
  fi
  builtin set -- "$__cordon_next" "$__cordon_place" "$__cordon_gone" "$__cordon_fresh_shopts" \\
    "$__cordon_shopts" "$__cordon_expand" "$__cordon_trace" "$__cordon_kept" \\
    "\${__cordon_names[@]}"
  unset -f trap "\${__cordon_functions[@]}"
  {
    [[ $3 ]] && builtin printf 'builtin unset -v%s\\n' "$3"
    builtin printf 'builtin shopt -u %s\\n' "\${4//:/ }"
    builtin printf 'builtin shopt -s %s\\nbuiltin shopt -u expand_aliases\\n' "\${5//:/ }"
    builtin umask -p
    builtin alias -p
    builtin unset -v ${OWN_VARIABLES} "\${!__cordon_@}"
    builtin declare -p "\${@:9}"
    builtin declare -f
    builtin printf '__cordon_expand=%s __cordon_trace=%s __cordon_set="%s"\\n' "$6" "$7" \\
      "+o braceexpand +o hashall +o interactive-comments\${8:+ -o \${8//:/ -o }}"
  } >|"$1.sh"
  builtin printf '%s\\n' "$2" >|"$1.cwd"
}`;

/**
 * A command that ends inside functions leaves their local variables visible. The attribute `t`,
 * which has no meaning for variables, is set on the global one: where it does not show, a local one
 * hides it, and is unset. References (`declare -n`) cannot be told apart so and are not kept.
 */
const FIND_GLOBALS = `
__cordon_find_globals() {
  builtin compgen -v >|"$__cordon_next.sh"
  builtin mapfile -t __cordon_candidates <"$__cordon_next.sh"
  for __cordon_name in "\${__cordon_candidates[@]}"; do
    case " ${OWN_VARIABLES} __cordon_ " in
      (*" $__cordon_name "* | *" \${__cordon_name:0:9} "*) builtin continue ;;
    esac
    for ((__cordon_depth = $1; __cordon_depth >= 0; __cordon_depth--)); do
      builtin declare -p "$__cordon_name" >|"$__cordon_next.sh"
      IFS= builtin read -r __cordon_line <"$__cordon_next.sh"
      [[ $__cordon_line =~ ^declare\\ -[a-zA-Z]*n ]] && builtin break
      builtin declare -gt "$__cordon_name"
      builtin declare -p "$__cordon_name" >|"$__cordon_next.sh"
      IFS= builtin read -r __cordon_line <"$__cordon_next.sh"
      if [[ $__cordon_line =~ ^declare\\ -[a-zA-Z]*t ]]; then
        # Exactly this is what the mark itself has made.
        [[ $__cordon_line == "declare -t $__cordon_name" ]] ||
          __cordon_names+=("$__cordon_name")
        builtin declare -g +t "$__cordon_name"
        builtin break
      fi
      builtin unset -v "$__cordon_name" || builtin break
    done
  done
}`;

/**
 * The EXIT trap saves the state. `trap` keeps a command's own trap beside it, which runs after the
 * state is saved and sees the exit code; what it takes is read only when it is first called.
 */
const EXIT = `
__cordon_trap_plain='{ __cordon_end $?; } 2>/dev/null'
__cordon_trap_both='if { __cordon_end $?; } 2>/dev/null; then
\\builtin eval "$__cordon_exit_trap"; else \\builtin eval "$__cordon_exit_trap"; fi'
__cordon_end() {
  if [[ ! \${__cordon_saved-} ]]; then
    __cordon_saved=1
    # A subshell has its own idea of some of these.
    __cordon_options=":$SHELLOPTS:" __cordon_shopts=$BASHOPTS
    ( __cordon_save ) || [[ 1 ]]
  fi
  return "$1"
}
trap() {
  if [[ :$BASHOPTS: == *:expand_aliases:* ]]; then
    # The command's aliases are not meant for this text.
    builtin shopt -u expand_aliases
    builtin eval "$__cordon_define_trap"
    builtin shopt -s expand_aliases
  else
    builtin eval "$__cordon_define_trap"
  fi
  trap "$@"
}`;

/** In subshells, which have no state, `trap` is what it always was. */
const TRAP = `
__cordon_print_traps() {
  builtin local __cordon_all __cordon_signal __cordon_asked=
  __cordon_all=$(builtin trap -p "$@")
  __cordon_all=\${__cordon_all#"trap -- '$__cordon_trap_plain' EXIT"}
  __cordon_all=\${__cordon_all#"trap -- '$__cordon_trap_both' EXIT"}
  __cordon_all=\${__cordon_all#$'\\n'}
  (($# == 0)) && __cordon_asked=1
  for __cordon_signal; do
    case $__cordon_signal in (0 | [Ee][Xx][Ii][Tt] | SIGEXIT) __cordon_asked=1 ;; esac
  done
  if [[ $__cordon_asked && \${__cordon_exit_trap+set} ]]; then
    builtin printf 'trap -- %s EXIT\\n' "\${__cordon_exit_trap@Q}"
  fi
  if [[ $__cordon_all ]]; then builtin printf '%s\\n' "$__cordon_all"; fi
}
trap() {
  if (($# == 0)); then __cordon_print_traps; builtin return; fi
  if [[ $1 == -p ]]; then __cordon_print_traps "\${@:2}"; builtin return; fi
  if [[ $BASHPID != "$$" || $1 == -[!-]* ]]; then builtin trap "$@"; builtin return; fi
  if [[ $1 == -- ]]; then builtin shift; fi
  if (($# == 1)); then builtin set -- - "$1"; fi
  builtin local __cordon_action __cordon_signal __cordon_others
  __cordon_action=$1 __cordon_others=()
  builtin shift
  for __cordon_signal; do
    case $__cordon_signal in
      (0 | [Ee][Xx][Ii][Tt] | SIGEXIT)
        if [[ $__cordon_action == - ]]; then
          builtin unset -v __cordon_exit_trap
          builtin trap "$__cordon_trap_plain" EXIT
        else
          __cordon_exit_trap=$__cordon_action
          builtin trap "$__cordon_trap_both" EXIT
        fi
        ;;
      (*) __cordon_others+=("$__cordon_signal") ;;
    esac
  done
  if ((\${#__cordon_others[@]} > 0)); then
    builtin trap -- "$__cordon_action" "\${__cordon_others[@]}"
  fi
}`;

/**
 * Makes the shell what it was after the call before. Arguments: this text itself, two texts that
 * most calls do not need and that bash need not parse, state file, prefix of this call's files,
 * working folder, workspace, and the command in pieces. Variables of ours are set only after the
 * state is back, and options after all else.
 */
const PREPARE = `
if ! builtin cd -- "$6" 2>/dev/null; then
  builtin printf 'bash: cannot enter "%s", now in "%s": the command was not run\\n' "$6" "$7" >&2
  builtin printf '' >"$5.sh"
  builtin printf 'gone\\n%s\\n' "$7" >"$5.cwd"
  builtin exit 1
fi
builtin unset -v OLDPWD
builtin declare -x OLDPWD
# These must be ours to write whatever mask the command sets.
builtin compgen -e >"$5.sh"
builtin printf '' >"$5.cwd"
__cordon_fresh_shopts=$BASHOPTS __cordon_expand=-s __cordon_trace= __cordon_set=
builtin mapfile -t __cordon_exported <"$5.sh"
if [[ -s $4 ]]; then builtin source "$4" 2>/dev/null; fi
${SAVE}
${EXIT}
__cordon_functions=(__cordon_save __cordon_find_globals __cordon_end __cordon_print_traps)
__cordon_define_globals=$2 __cordon_define_trap=$3 __cordon_next=$5 __cordon_workspace=$7
__cordon_ifs=\${IFS-unset}
IFS=
__cordon_command=\${__cordon_trace:+\\builtin set -x; }"\${*:8}"
IFS=$__cordon_ifs
[[ $__cordon_ifs != unset ]] || builtin unset -v IFS
builtin trap "$__cordon_trap_plain" EXIT
builtin set --
builtin shopt "$__cordon_expand" expand_aliases
[[ ! $__cordon_set ]] || builtin eval "builtin set $__cordon_set"`;

/**
 * Prepares, and runs the command. It is one compound command on one line: parsed before any alias
 * of the state exists, and so that bash counts the command's own lines from 1. The state is saved
 * at the command's end or, where that ends the shell, by the EXIT trap.
 */
const SCRIPT = '{ builtin eval "$1"; builtin eval "$__cordon_command"; ' +
  "{ __cordon_end $?; } 2>/dev/null; }";

/** Where a call of the shell begins. */
export interface ShellStart {
  readonly call: ShellCall;
  readonly cwd: string;
  readonly workspace: string;
}

/**
 * The arguments of a fresh bash that takes up the state of the call before, runs a command and
 * leaves its own state. The command is to be free of NUL and at most
 * {@linkcode MAX_COMMAND_BYTES} long.
 */
export function shellArguments(
  command: string,
  { call, cwd, workspace }: ShellStart,
): [string, ...string[]] {
  const bash = ["bash", "--noprofile", "--norc", "-c", SCRIPT, "bash"] as const;
  return [
    ...bash,
    PREPARE,
    FIND_GLOBALS,
    TRAP,
    call.state,
    call.next,
    cwd,
    workspace,
    ...pieces(command),
  ];
}

/** Cuts a text into pieces of at most {@linkcode MAX_PIECE_BYTES}, between code points. */
function pieces(command: string): string[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const bytes = new TextEncoder().encode(command);
  const found: string[] = [];
  for (let start = 0; start < bytes.length;) {
    let end = Math.min(bytes.length, start + MAX_PIECE_BYTES);
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    found.push(decoder.decode(bytes.subarray(start, end)));
    start = end;
  }
  return found;
}
