import { readGit } from "./git.ts";
import { HOME, resolvePath, UNKNOWN } from "./values.ts";

/** Programs that write what the network sends. */
const DOWNLOADERS =
  /^(?:curl|wget2?|fetch|https?|xh|aria2c|lynx|w3m|e?links|nc|ncat|netcat|ftp|telnet)$/;

/** Whether a program's output comes from the network. */
export function isDownloader(program: string): boolean {
  return DOWNLOADERS.test(program);
}

/** The program by its bare name, and git without global options. */
export function normalizeWords(
  words: readonly string[],
): { command: readonly string[]; script?: string } {
  const [path = "", ...args] = words;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.startsWith("git-")) return { command: ["git", name.slice(4), ...args] };
  if (name !== "git") return { command: [name, ...args] };
  const { words: rest, script } = readGit(args);
  return { command: ["git", ...rest], ...(script !== undefined && { script }) };
}

/** The folder after `cd` with these arguments. */
export function folderAfter(args: readonly string[], cwd: string): string {
  const target = args.find((arg) => !/^-./.test(arg)) ?? HOME;
  return target === "-" ? UNKNOWN : resolvePath(cwd, target);
}

/** What a program writes, where that can be read from its words. */
export function textOf(
  program: string,
  args: readonly string[],
  input: string | undefined,
): { text?: string } {
  const operands = args.filter((arg) => !/^-[neE]+$/.test(arg));
  switch (program) {
    case "echo":
      return { text: operands.join(" ") };
    case "printf":
      return { text: operands.length > 1 ? operands.slice(1).join(" ") : operands.join("") };
    case "which":
      return { text: args.at(-1) ?? "" };
    case "command":
      return /^-[vV]$/.test(args[0] ?? "") ? { text: args[1] ?? "" } : {};
    case "cat":
    case "tee":
      return operands.length === 0 && input !== undefined ? { text: input } : {};
    default:
      return {};
  }
}
