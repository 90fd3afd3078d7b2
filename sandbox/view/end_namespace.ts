import { askBwrap } from "./bwrap_process.ts";
import { startEnvironment, type View } from "./view.ts";

/** Longer than the script takes on any machine, in milliseconds. */
const PATIENCE_MS = 2_000;

/**
 * Longer than a sandbox takes to come up on a busy machine, in milliseconds. A namespace ends with
 * its bubblewrap only once the mounts stand, when its first process asks the kernel for that: if
 * bubblewrap were killed before, it would go on, and run the command unwatched.
 */
export const BINDING_MS = 5_000;

/**
 * Arguments: a signal, how many of the generations below are left alone, and a bubblewrap that has a
 * child in a process namespace of its own. The signal goes to all that lives in there, which is all
 * that descends from it, orphans too; the first process of a namespace takes no signal but SIGKILL
 * that it has no handler for, so the namespace itself stays until its command has ended. SIGCONT follows since a stopped process takes no other signal. Parents are read
 * since everybody may: an ordinary user's script, in a user namespace of its own, may not see the
 * namespaces of processes in another.
 */
const SIGNAL_ALL = `
signal=$1 spared=$2
shift 2
declare -A children
for folder in /proc/[0-9]*; do
  stat=
  { IFS= read -r -d '' stat <"$folder/stat"; } 2>/dev/null
  set -- "$1" \${stat##*) }
  [[ $3 ]] && children[$3]+=" \${folder##*/}"
done
members=(\${children[$1]})
((spared)) && spared=\${#members[@]}
for ((at = 0; at < \${#members[@]}; at++)); do
  members+=(\${children[\${members[at]}]})
done
members=("\${members[@]:spared}")
((\${#members[@]} > 0)) || exit
kill -"$signal" "\${members[@]}"
kill -CONT "\${members[@]}"
`;

/** Sends SIGTERM to everything in the view of a running bubblewrap. */
export async function terminateNamespace(view: View, bwrap: number): Promise<void> {
  await signalAll("TERM", 0, view, bwrap);
}

/**
 * Kills what lives in the view of a bubblewrap below another one, as far as it is there by now. Both
 * bubblewraps are left, and end when they see their child end: of one that is killed while it makes
 * its child, the child would be left.
 */
export async function killBelow(view: View, bwrap: number): Promise<void> {
  await signalAll("KILL", 1, view, bwrap);
}

/**
 * A bubblewrap does not pass signals on, and this process may start nothing but bubblewrap: so
 * another one, which confines nothing, runs a script of ours.
 */
async function signalAll(
  signal: "TERM" | "KILL",
  spared: 0 | 1,
  view: View,
  bwrap: number,
): Promise<void> {
  const args = [signal, String(spared), String(bwrap)];
  await askBwrap(
    [
      ...["--die-with-parent", "--dev-bind", "/", "/", "--"],
      ...["bash", "--noprofile", "--norc", "-c", SIGNAL_ALL, "cordon", ...args],
    ],
    { environment: startEnvironment(view), runAs: view.runAs, timeoutMs: PATIENCE_MS },
  );
}
