import type { CommandJudge } from "./judgement.ts";

/** Commands that change nothing, by exact text. */
const READ_ONLY: ReadonlySet<string> = new Set([
  "pwd",
  "ls",
  "ls -l",
  "ls -la",
  "ls -a",
  "git status",
  "git status --short",
  "git diff",
  "git diff --stat",
  "git log --oneline",
  "git branch",
  "date",
  "whoami",
  "id",
  "uname -a",
]);

/** Judges by an exact list and by nothing else. */
export const judgeByShortList: CommandJudge = (command) =>
  Promise.resolve(
    READ_ONLY.has(command.trim())
      ? { kind: "read_only" }
      : { kind: "other", reason: "it is not on the list of reading commands" },
  );
