import type { Environment } from "../commands/environment.ts";
import { ulimitScript } from "./limits.ts";
import type { View } from "./view.ts";
import { PROXY_PORT, VIEW_PLACES } from "./view_places.ts";

/** One command as the supervisor gets it. */
export interface Supervised {
  /** Word that marks on standard error begin with (`marks.ts`). */
  readonly key: string;
  readonly cwd: string;
  /** PATH of the command. */
  readonly path: string;
  /** Variables of the command that the supervisor itself must not have. */
  readonly locale?: Environment;
  /** After this everything in the view gets SIGTERM; absent: never from inside. */
  readonly timeoutMs?: number | undefined;
  readonly argv: readonly [string, ...string[]];
}

/**
 * Parts an environment into what a bash reads a locale for, and the rest: a bash without these starts
 * half a millisecond sooner, and the supervisor has no use for them.
 */
export function partLocale(environment: Environment): { locale: Environment; rest: Environment } {
  const entries = Object.entries(environment);
  const isLocale = ([name]: [string, string]) => /^(LANG|LC_[A-Z]+)$/.test(name);
  return {
    locale: Object.fromEntries(entries.filter(isLocale)),
    rest: Object.fromEntries(entries.filter((entry) => !isLocale(entry))),
  };
}

/**
 * The argument array of a bash that runs a command inside a view: it closes inherited descriptors,
 * lowers limits, checks that no mount led astray, runs the command, counts and ends what it left,
 * and says so by marks. The view must show a bash.
 */
export function supervisorArguments(view: View, command: Supervised): string[] {
  const { key, cwd, path, locale = {}, timeoutMs, argv } = command;
  return [
    ...["bash", "--noprofile", "--norc", "-c", script(view, Object.keys(locale)), "cordon"],
    key,
    cwd,
    path,
    timeoutMs === undefined ? "" : String(timeoutMs / 1000),
    String(view.linkFree.length),
    ...Object.values(locale),
    ...view.linkFree,
    ...argv,
  ];
}

/**
 * Descriptors 3 and 4 are the command's stdout and stderr; bash's own stderr is elsewhere, so that
 * nothing that it says is taken for output. While the command runs that is a pipe (5), since bash
 * prints something about its child only when a signal ended it: so a signal is told from an exit
 * code above 128. The process that makes this pipe is the timer too, and says there that it fired;
 * it waits on a terminal to which nobody writes, for want of a builtin that sleeps.
 */
function script(
  { limits, freshProcesses, profile, forwarder }: View,
  locale: readonly string[],
): string {
  return `
for cordon_file in /proc/self/fd/*; do
  cordon_file=\${cordon_file##*/}
  ((cordon_file > 2)) && exec {cordon_file}>&-
done
exec 3>&1 4>&2 2>/dev/null
cordon_say() { printf '\\0%s%s\\0' "$cordon_key" "$1" >&4; }
cordon_refuse() { cordon_say "refused $1"; exit 126; }
cordon_key=$1 cordon_cwd=$2 cordon_path=$3 cordon_seconds=$4 cordon_count=$5
shift 5
${locale.map((name) => `cordon_${name}=$1; shift`).join("\n")}
for ((; cordon_count > 0; cordon_count--)); do
  [[ -L $1 ]] && cordon_refuse 'a protected place of the workspace became a link'
  shift
done
${profile === "egress" ? forwardScript(forwarder) : ""}
PATH=$cordon_path
cd -- "$cordon_cwd" || cordon_refuse 'no such working folder'
type -P -- "$1" >/dev/null || cordon_refuse 'no such program'
unset OLDPWD
trap : TERM
exec 5<> <(
  exec 3>&- 4>&-
  [[ $cordon_seconds ]] || exit
  exec 6</dev/ptmx || exec 6<> <(:)
  read -t "$cordon_seconds" -u 6
  echo limit
  kill -TERM -1
  kill -CONT -1
)
cordon_timer=$!
${ulimitScript(limits)}
cordon_say started
exec 2>&5
${locale.map((name) => `${name}=$cordon_${name} `).join("")}"$@" </dev/null >&3 2>&4 3>&- 4>&- 5>&-
cordon_status=$? cordon_how=exit
exec 2>/dev/null
while read -t 0 -u 5; do
  IFS= read -r -u 5 cordon_line
  if [[ $cordon_line == limit ]]; then cordon_how=limit
  elif [[ $cordon_how == exit ]]; then cordon_how=signal; fi
done
[[ $cordon_forwarder ]] && kill -KILL "$cordon_forwarder" && wait "$cordon_forwarder"
${freshProcesses ? COUNT_BY_PROC : COUNT_BY_SIGNAL}
kill -KILL -1
cordon_say "ended $cordon_left $cordon_how"
exit "$cordon_status"
`;
}

/**
 * Process 1 is bubblewrap's, the timer has a child for a moment, a zombie is nobody's process. What
 * the limit has just ended, and what the forwarder had begun, may still be on its way out: that is
 * looked at again, a moment later.
 */
const COUNT_BY_PROC = `
cordon_look() {
  cordon_left=0
  for cordon_file in /proc/[0-9]*/stat; do
    IFS= read -r -d '' cordon_line <"$cordon_file"
    [[ \${cordon_line%% *} == @(|1|$$|$cordon_timer) ]] && continue
    [[ \${cordon_line##*) } == @([ZX]*|? $cordon_timer *) ]] || ((++cordon_left))
  done
}
cordon_look
if ((cordon_left)) && [[ $cordon_how == limit || $cordon_forwarder ]]; then
  IFS= read -r -t 0.05 -u 5 cordon_line
  cordon_look
fi`;

/** The processes in sight are the host's: all that can be learned is whether any of ours is left. */
const COUNT_BY_SIGNAL = `
cordon_left=0
kill -KILL "$cordon_timer"
wait "$cordon_timer"
kill -0 -1 && cordon_left=1`;

/** As /proc/net/tcp shows it: the address that the forwarder listens on, and that it listens. */
const LISTENING = `0100007F:${
  PROXY_PORT.toString(16).toUpperCase().padStart(4, "0")
} 00000000:0000 0A`;

const SOCAT = [
  "socat",
  `TCP-LISTEN:${PROXY_PORT},bind=127.0.0.1,reuseaddr,fork,backlog=64`,
  `UNIX-CONNECT:${VIEW_PLACES.proxy}`,
];

/**
 * Bash that reaches for the proxy of profile egress; `cordon_forwarder` is the process that carries
 * connections there. Without a proxy behind the socket, programs are told at once that nothing
 * listens. `own` is what forwards where there is no socat, which starts in a fiftieth of the time.
 */
export function forwardScript(own: readonly string[] = ["false"]): string {
  return `
cordon_forwarder=
if [[ -S ${VIEW_PLACES.proxy} ]]; then
  cordon_forward=(${words(SOCAT)})
  type -P socat >/dev/null || cordon_forward=(${words(own)})
  DENO_DIR=/tmp/.cordon-deno DENO_NO_UPDATE_CHECK=1 "\${cordon_forward[@]}" \\
    </dev/null >/dev/null 3>&- 4>&- 5>&- &
  cordon_forwarder=$!
  exec 6<> <(:)
  for ((cordon_try = 0; cordon_try < 2000; cordon_try++)); do
    [[ $(</proc/net/tcp) == *'${LISTENING}'* ]] && break
    kill -0 "$cordon_forwarder" || break
    read -t 0.002 -u 6
  done
  exec 6>&-
fi`;
}

/** Words of bash that are exactly these. */
function words(argv: readonly string[]): string {
  return argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}
