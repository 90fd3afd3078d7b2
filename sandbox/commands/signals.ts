import { runBashScript } from "./bash_script.ts";
import type { Environment } from "./environment.ts";
import { isForbidden } from "../files/system_errors.ts";

/** Grace between SIGTERM and SIGKILL for a command at its time limit, in milliseconds. */
export const KILL_GRACE_MS = 3_000;

/**
 * The same for processes that a command left behind when it ended by itself: nobody waits for what
 * they say, and the answer must not be late for them, in milliseconds.
 */
const STRAY_GRACE_MS = 200;

/**
 * Arguments: process group, grace in milliseconds. Prints how many living processes the group and
 * the session of the same number held; none of them is left when it ends, unless the system
 * refuses the signal. Zombies do not count: where nothing reaps them they stay for ever. The script
 * does its work also when Cordon ends before it.
 *
 * SIGCONT follows SIGTERM since a stopped process takes no other signal.
 */
const END_GROUP = `
group=$1 grace=$2 has_proc=
[[ -r /proc/$$/stat ]] && has_proc=1
find_members() {
  groups=() count=0
  if [[ ! $has_proc ]]; then
    kill -0 -- "-$group" 2>/dev/null && groups=("$group") count=1
    return
  fi
  local file stat
  for file in /proc/[0-9]*/stat; do
    stat=
    { IFS= read -r -d '' stat <"$file"; } 2>/dev/null
    set -- \${stat##*) }
    [[ $3 == "$group" || $4 == "$group" ]] || continue
    [[ $1 == [ZX] ]] && continue
    count=$((count + 1))
    [[ " \${groups[*]} " == *" $3 "* ]] || groups+=("$3")
  done
}
send() {
  local member
  for member in "\${groups[@]}"; do kill "-$1" -- "-$member" 2>/dev/null; done
}
set_now() { now=\${EPOCHREALTIME/[.,]/} now=$((now / 1000)); }
wait_until_empty() {
  local end step=0.01
  set_now; end=$((now + $1))
  while find_members; ((count > 0)); do
    set_now
    ((now >= end)) && return 1
    # At the end of the input (Cordon itself was ended) read does not wait.
    read -r -t "$step" || (($? > 128)) || sleep "$step"
    step=0.03
  done
}
find_members
printf '%s' "$count"
((count > 0)) || exit 0
send TERM; send CONT
wait_until_empty "$grace" || { send KILL; wait_until_empty 500; }
`;

/**
 * Ends a process group and every other group of its session: SIGTERM, SIGKILL after the grace.
 * Resolves, when they have ended, to how many processes they were.
 * @throws {CommandError} where bash cannot be started.
 */
export async function endGroup(
  group: number,
  graceMs: number,
  environment: Environment,
): Promise<number> {
  return Number(await runBashScript(END_GROUP, [String(group), String(graceMs)], environment));
}

/**
 * {@linkcode endGroup} for a group whose leader has ended: mostly nothing is left in it, which
 * Deno can see without starting a bash where it may send signals. (An empty group's number could
 * be given to a new process; within the moment since the leader's end that is not to be expected.)
 * @throws {CommandError} where bash cannot be started.
 */
export async function endStrays(group: number, environment: Environment): Promise<number> {
  return isEmptyGroup(group) ? 0 : await endGroup(group, STRAY_GRACE_MS, environment);
}

/**
 * False also where Deno's permissions hide it. The signal that asks, SIGCONT, wakes what is to be
 * ended next.
 */
function isEmptyGroup(group: number): boolean {
  try {
    Deno.kill(-group, "SIGCONT");
    return false;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    if (isForbidden(error)) return false;
    throw error;
  }
}
