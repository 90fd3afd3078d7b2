import { bwrapArguments } from "./bwrap.ts";
import { killerOf } from "./kill_confined.ts";
import { ulimitScript } from "./limits.ts";
import { type PipedProcess, startPiped } from "../commands/piped_process.ts";
import { forwardScript } from "./supervisor.ts";
import { startEnvironment, type View } from "./view.ts";

/** The descriptor that holds the seccomp filter; standard input belongs to the process. */
const FILTER_DESCRIPTOR = 9;

/**
 * Starts a long-lived process in a view, with pipes to its three streams, in namespaces of its own.
 * It ends with this process, however that ends. To be called on the main thread. `cwd` is a folder
 * in the view.
 * @throws {CommandError} where bubblewrap cannot be started; what fails later is said on the
 * process's standard error.
 */
export function startConfined(
  view: View,
  filter: Uint8Array,
  argv: readonly [string, ...string[]],
  cwd = "/",
): PipedProcess {
  const [bwrap, ...args] = confinedArguments(view, filter, argv, cwd);
  const process = startPiped([bwrap, ...args], {
    environment: startEnvironment(view),
    cwd: "/",
    runAs: view.runAs,
  });
  return { ...process, kill: killerOf(view, process) };
}

/**
 * The whole argument array; pure. The program that this process may run is bubblewrap alone, and it
 * cannot be handed a pipe besides the three: so a first bubblewrap, which confines nothing, runs a
 * bash that opens the filter and becomes the second one.
 */
export function confinedArguments(
  view: View,
  filter: Uint8Array,
  argv: readonly [string, ...string[]],
  cwd = "/",
): [string, ...string[]] {
  const confined = bwrapArguments(view, prologue(view, argv, cwd), {
    filterDescriptor: FILTER_DESCRIPTOR,
  });
  return [
    ...["bwrap", "--die-with-parent", "--dev-bind", "/", "/", "--"] as const,
    ...["bash", "--noprofile", "--norc", "-c", OPEN_FILTER, "cordon"],
    escaped(filter),
    ...confined,
  ];
}

const OPEN_FILTER = `exec ${FILTER_DESCRIPTOR}< <(printf %b "$1"); shift; exec bwrap "$@"`;

/** Bytes as `printf %b` reads them; a NUL cannot stand in an argument. */
function escaped(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
}

/**
 * The first thing inside: closes inherited descriptors, looks for led-astray mounts, reaches for the
 * proxy, and lowers limits.
 */
function prologue(view: View, argv: readonly string[], cwd: string): string[] {
  const script = `
for cordon_file in /proc/self/fd/*; do
  cordon_file=\${cordon_file##*/}
  ((cordon_file > 2)) && exec {cordon_file}>&-
done
cordon_path=$1 cordon_cwd=$2
shift 2
for ((cordon_count = $1; cordon_count > 0; cordon_count--)); do
  shift
  [[ -L $1 ]] && { printf 'a protected place of the workspace became a link' >&2; exit 126; }
done
shift
${view.profile === "egress" ? `(${forwardScript(view.forwarder)}) 2>/dev/null` : ""}
PATH=$cordon_path
cd -- "$cordon_cwd" || exit 126
unset OLDPWD
${ulimitScript(view.limits)}
exec -- "$@"`;
  return [
    ...["bash", "--noprofile", "--norc", "-c", script, "cordon"],
    view.environment["PATH"] ?? "",
    cwd,
    String(view.linkFree.length),
    ...view.linkFree,
    ...argv,
  ];
}
