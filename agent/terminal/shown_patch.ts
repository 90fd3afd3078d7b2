import type { OptionValues } from "../command_line/options.ts";
import type { Patch } from "../worktrees/worktree.ts";
import type { Host } from "./headless.ts";
import { renderDiff } from "./render/diff.ts";
import { styleFor } from "./style.ts";
import { terminalSize } from "./terminal_size.ts";
import { besideText } from "./worktrees_text.ts";

/**
 * A patch for a person at a terminal, or, where stdout is none, for programs: these read the diff as
 * it is and pass over what stands before it.
 */
export function shownPatch(patch: Patch, { color }: OptionValues, host: Host): string {
  const { stdoutIsTerminal: isTerminal, env } = host;
  const beside = besideText(patch);
  if (!isTerminal) return beside + patch.text;
  const style = styleFor({ flag: color ?? "auto", isTerminal, env });
  const lines = renderDiff(patch.text, { width: terminalSize().columns, style });
  return lines.map((line) => `${line}\n`).join("") + beside;
}
