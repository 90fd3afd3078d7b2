/** What a git command line does once its global options and aliases are out of the way. */
export interface GitCommand {
  /** Subcommand and arguments. */
  readonly words: readonly string[];
  /** The shell script that an alias given on the same line stands for. */
  readonly script?: string;
}

/** Global options of git that take the next word. */
const WITH_VALUE = new Set([
  ..."-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix".split(" "),
  "--attr-source",
]);

/** Reads the words after `git`. */
export function readGit(args: readonly string[]): GitCommand {
  const aliases = new Map<string, string>();
  let at = 0;
  for (; at < args.length && (args[at] ?? "").startsWith("-"); at++) {
    if (!WITH_VALUE.has(args[at] ?? "")) continue;
    at += 1;
    const alias = /^alias\.([^=]+)=([^]*)$/.exec(args[at] ?? "");
    if (alias?.[1] && alias[2]) aliases.set(alias[1], alias[2]);
  }
  const [name = "", ...rest] = args.slice(at);
  const alias = aliases.get(name);
  if (alias === undefined) return { words: [name, ...rest] };
  if (alias.startsWith("!")) return { words: [name, ...rest], script: alias.slice(1) };
  return { words: [...alias.split(/\s+/), ...rest] };
}
