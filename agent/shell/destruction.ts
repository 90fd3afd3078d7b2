import { hasLong, readOptions } from "./options.ts";
import { UNKNOWN } from "./values.ts";

/** What a command destroys, as one clause; undefined when nothing is known to be lost. */
export function destructionOf(words: readonly string[]): string | undefined {
  const [program = "", ...args] = words;
  switch (program) {
    case "rm":
      return removal(args);
    case "git":
      return gitDestruction(args);
    case "find":
      return args.includes("-delete") ? "find deletes what it finds" : undefined;
    case "shred":
    case "wipefs":
      return `${program} overwrites what it is given`;
    case "chmod":
    case "chown":
    case "chgrp":
      return isRecursive(args) ? `${program} changes whole folders` : undefined;
    case "truncate":
      return "truncate cuts a file's content";
    case "dd":
      return args.some((arg) => arg.startsWith("of=")) ? "dd overwrites its output" : undefined;
    case "mv":
    case "cp":
      return readOptions(args, "tS").letters.has("f") ? `${program} -f replaces` : undefined;
    case "rsync":
      return args.some((arg) => arg.startsWith("--del"))
        ? "rsync deletes in its target"
        : undefined;
    default:
      return undefined;
  }
}

/** Paths that a command replaces where they exist. */
export function overwritesOf(words: readonly string[]): string[] {
  const [program = "", ...args] = words;
  const { operands, letters, long } = readOptions(args, program === "sort" ? "okStT" : "tS");
  switch (program) {
    case "mv":
    case "cp":
    case "install":
      return letters.has("n") || long.has("--no-clobber") ? [] : operands.slice(1).slice(-1);
    case "tee":
      return letters.has("a") || long.has("--append") ? [] : [...operands];
    case "truncate":
      return [...operands];
    case "dd":
      return args.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3));
    default:
      return [];
  }
}

/** Single files by name are what a person would expect of `rm`; trees and patterns are not. */
function removal(args: readonly string[]): string | undefined {
  const options = readOptions(args);
  if (options.letters.has("r") || isRecursive(args)) return "rm removes whole folders";
  if (options.operands.some((path) => /[*?[]/.test(path))) return "rm removes what a glob matches";
  return options.operands.some((path) => path.includes(UNKNOWN))
    ? "rm removes files that are only known at run time"
    : undefined;
}

function isRecursive(args: readonly string[]): boolean {
  const options = readOptions(args);
  return options.letters.has("R") || hasLong(options, "--recursive", "--r");
}

function gitDestruction([subcommand, ...args]: readonly string[]): string | undefined {
  const { letters, long, operands } = readOptions(args, subcommand === "clean" ? "e" : "");
  const has = (letter: string, flag: string) => letters.has(letter) || long.has(flag);
  const separated = args.includes("--");
  const lost = "discards uncommitted changes";
  switch (subcommand) {
    case "clean":
      return has("n", "--dry-run") ? undefined : "git clean removes untracked files";
    case "checkout":
      return separated || has("f", "--force") || operands.includes(".")
        ? `git checkout ${lost}`
        : undefined;
    case "restore":
      return has("S", "--staged") && !has("W", "--worktree") ? undefined : `git restore ${lost}`;
    case "switch":
      return has("f", "--force") || long.has("--discard-changes")
        ? `git switch ${lost}`
        : undefined;
    case "reset":
      return long.has("--hard") ? `git reset --hard ${lost}` : undefined;
    case "stash":
      return /^(?:drop|clear)$/.test(operands[0] ?? "") ? "git stash drops work" : undefined;
    case "branch":
      return letters.has("D") || (has("d", "--delete") && has("f", "--force"))
        ? "git branch -D deletes unmerged commits"
        : undefined;
    case "rm":
      return long.has("--cached") ? undefined : "git rm removes files";
    case "push":
      return has("d", "--delete") || operands.some((ref) => ref.startsWith(":"))
        ? "git push deletes a remote branch"
        : undefined;
    case "worktree":
      return operands[0] === "remove" ? "git worktree remove deletes a folder" : undefined;
    case "reflog":
      return operands[0] === "expire" ? "git reflog expire drops the way back" : undefined;
    case "filter-branch":
    case "filter-repo":
      return `git ${subcommand} rewrites history`;
    default:
      return undefined;
  }
}
