import { runBashScript } from "./bash_script.ts";
import type { Environment } from "./environment.ts";

/** Prints the open descriptors that are neither standard nor the folder that lists them. */
const LIST = `
for file in /dev/fd/*; do
  number=\${file##*/}
  [[ $number == [0-9]* && $number -gt 2 && -e $file ]] && printf '%s ' "$number"
done`;

/**
 * The descriptors above 2 that programs started by this process inherit, because its own parent
 * left them open. An open folder would be a way out of every guard (measured on Deno 2.9).
 */
export async function inheritedDescriptors(environment: Environment): Promise<readonly number[]> {
  const listed = await runBashScript(LIST, [], environment);
  return listed.split(" ").filter((word) => word !== "").map(Number);
}

/** The same program started by a bash that closes the descriptors first; the same where none are. */
export function closingDescriptors(
  argv: readonly [string, ...string[]],
  descriptors: readonly number[],
): readonly [string, ...string[]] {
  if (descriptors.length === 0) return argv;
  const closing = descriptors.map((number) => `${number}>&-`).join(" ");
  const script = `exec ${closing}; exec -- "$@"`;
  return ["bash", "--noprofile", "--norc", "-c", script, "bash", ...argv];
}
