import { type Denial, redirectDenial } from "./denials.ts";
import { expandToText, type HoleValue } from "./values.ts";
import type { Redirect } from "./words.ts";

/** Where a command's output goes. */
export interface Output {
  /** Files that are replaced where they exist. */
  readonly overwrites: readonly string[];
  readonly denial: Denial | undefined;
}

/** What `redirects` write to; `cwd` as in ShellState. */
export function outputOf(
  redirects: readonly Redirect[],
  cwd: string,
  valueOf: HoleValue,
): Output {
  const overwrites: string[] = [];
  let denial: Denial | undefined;
  for (const { operator, target } of redirects) {
    if (!target || !operator.includes(">")) continue;
    const path = expandToText(target, valueOf);
    if (/^(?:\d+-?|-)$/.test(path)) continue;
    denial ??= redirectDenial(path, cwd);
    if (!operator.includes(">>") && !path.startsWith("/dev/")) overwrites.push(path);
  }
  return { overwrites, denial };
}
