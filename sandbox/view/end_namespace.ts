import { askBwrap } from "./bwrap_process.ts";
import { startEnvironment, type View } from "./view.ts";

/** Longer than the script takes on any machine, in milliseconds. */
const PATIENCE_MS = 2_000;

/**
 * Argument: a bubblewrap that has a child in a process namespace of its own. SIGTERM goes to all
 * that lives in there, which is all that descends from it, orphans too; the first process of a
 * namespace takes no signal that it has no handler for, so the namespace itself stays until its
 * command has ended. SIGCONT follows since a stopped process takes no other signal. Parents are read
 * since everybody may: an ordinary user's script, in a user namespace of its own, may not see the
 * namespaces of processes in another.
 */
const TERMINATE = `
declare -A children
for folder in /proc/[0-9]*; do
  stat=
  { IFS= read -r -d '' stat <"$folder/stat"; } 2>/dev/null
  set -- "$1" \${stat##*) }
  [[ $3 ]] && children[$3]+=" \${folder##*/}"
done
members=(\${children[$1]})
for ((at = 0; at < \${#members[@]}; at++)); do
  members+=(\${children[\${members[at]}]})
done
((\${#members[@]} > 0)) || exit
kill -TERM "\${members[@]}"
kill -CONT "\${members[@]}"
`;

/**
 * Sends SIGTERM to everything in the view of a running bubblewrap. It does not pass signals on, and
 * this process may start nothing but bubblewrap: so another one, which confines nothing, runs a
 * script of ours.
 */
export async function terminateNamespace(view: View, bwrap: number): Promise<void> {
  await askBwrap(
    [
      ...["--die-with-parent", "--dev-bind", "/", "/", "--"],
      ...["bash", "--noprofile", "--norc", "-c", TERMINATE, "cordon", String(bwrap)],
    ],
    { environment: startEnvironment(view), runAs: view.runAs, timeoutMs: PATIENCE_MS },
  );
}
