import { ulimitScript } from "./limits.ts";
import { KILL_GRACE_MS } from "./signals.ts";
import type { View } from "./view.ts";

/** One command as the supervisor gets it. */
export interface Supervised {
  /** Word that marks on standard error begin with (`marks.ts`). */
  readonly key: string;
  readonly cwd: string;
  /** After this the command is asked to end, and after a grace killed; absent: never from inside. */
  readonly timeoutMs?: number | undefined;
  readonly argv: readonly [string, ...string[]];
}

/**
 * The argument array of a bash that runs a command inside a view: it closes inherited descriptors,
 * lowers limits, checks that no mount led astray, runs the command, counts and ends what it left,
 * and says so by marks. The view must show a bash and, for a time limit, a `timeout`.
 */
export function supervisorArguments(view: View, command: Supervised): string[] {
  const { key, cwd, timeoutMs, argv } = command;
  return [
    ...["bash", "--noprofile", "--norc", "-c", script(view), "cordon"],
    key,
    cwd,
    timeoutMs === undefined ? "" : String(timeoutMs / 1000),
    String(view.linkFree.length),
    ...view.linkFree,
    ...argv,
  ];
}

/**
 * The command's own signal is told from an exit code above 128 by what bash prints about its child:
 * it prints only about signals. So the child runs in a substitution that reads these words; none of
 * its descriptors is left to the child.
 *
 * Descriptors 3 and 4 are the command's stdout and stderr while bash's own are closed off, so that
 * nothing that bash says of its own is taken for output.
 */
function script(view: View): string {
  const grace = KILL_GRACE_MS / 1000;
  return `
for cordon_file in /proc/self/fd/*; do
  cordon_file=\${cordon_file##*/}
  ((cordon_file > 2)) && exec {cordon_file}>&-
done
exec 3>&1 4>&2 2>/dev/null
cordon_say() { printf '\\0%s%s\\0' "$cordon_key" "$1" >&4; }
cordon_refuse() { cordon_say "refused $1"; exit 126; }
cordon_key=$1 cordon_cwd=$2 cordon_seconds=$3 cordon_count=$4
shift 4
for ((; cordon_count > 0; cordon_count--)); do
  [[ -L $1 ]] && cordon_refuse 'a protected place of the workspace became a link'
  shift
done
${ulimitScript(view.limits)}
cd -- "$cordon_cwd" || cordon_refuse 'no such working folder'
type -P -- "$1" >/dev/null || cordon_refuse 'no such program'
unset OLDPWD
cordon_say started
cordon_words=$(
  exec 2>&1
  if [[ $cordon_seconds ]]; then
    timeout -k ${grace} "$cordon_seconds" "$@" </dev/null >&3 2>&4 3>&- 4>&-
  else
    "$@" </dev/null >&3 2>&4 3>&- 4>&-
  fi
  cordon_status=$?
  printf '\\n%s' "$cordon_status"
)
cordon_status=\${cordon_words##*$'\\n'}
cordon_how=exit
((cordon_status > 128)) && [[ \${cordon_words%$'\\n'*} ]] && cordon_how=signal
${view.freshProcesses ? COUNT_BY_PROC : COUNT_BY_SIGNAL}
kill -KILL -1
cordon_say "ended $cordon_left $cordon_how"
exit "$cordon_status"
`;
}

/** Process 1 is bubblewrap's; a zombie is nobody's process any more. */
const COUNT_BY_PROC = `
cordon_left=0
for cordon_file in /proc/[0-9]*/stat; do
  IFS= read -r -d '' cordon_line <"$cordon_file"
  [[ $cordon_line ]] || continue
  cordon_state=\${cordon_line##*) }
  [[ \${cordon_line%% *} == 1 || \${cordon_line%% *} == "$$" ]] && continue
  [[ $cordon_state == [ZX]* ]] || ((++cordon_left))
done`;

/** The processes in sight are the host's: all that can be learned is whether any of ours is left. */
const COUNT_BY_SIGNAL = `
cordon_left=0
kill -0 -1 && cordon_left=1`;
