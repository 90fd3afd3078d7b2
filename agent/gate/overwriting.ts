import type { Commands } from "../../sandbox/commands/commands.ts";
import type { ReadFiles } from "../../sandbox/files/files.ts";
import type { LossCheck } from "./judge_by_text.ts";

/** How long git may take to say whether it knows a file, in milliseconds. */
const GIT_LIMIT_MS = 10_000;

/** More files in one command are not looked up one by one: it asks. */
const MAX_LOOKED_AT = 16;

/**
 * Finds the files whose content a command would replace for good: those that were there before
 * the session began and that git does not have. What the session itself made may be made again.
 */
export function createLossCheck(
  { files, commands, since }: {
    readonly files: Pick<ReadFiles, "stat">;
    readonly commands: Commands;
    /** When the session began. */
    readonly since: Date;
  },
): LossCheck {
  return async (paths) => {
    const unique = [...new Set(paths)];
    if (unique.length > MAX_LOOKED_AT) return `it replaces ${unique.length} files`;
    for (const path of unique) {
      const found = await files.stat(path);
      if (!found.ok || found.facts.kind !== "file") continue;
      if (found.facts.size === 0 || found.facts.mtimeMs >= since.getTime()) continue;
      if (!await isTracked(found.facts.real, commands)) {
        return `it replaces ${path}, which git does not have`;
      }
    }
    return undefined;
  };
}

async function isTracked(path: string, commands: Commands): Promise<boolean> {
  const { exitCode } = await commands.run(
    ["git", "ls-files", "--error-unmatch", "--", path],
    { timeoutMs: GIT_LIMIT_MS },
  );
  return exitCode === 0;
}
