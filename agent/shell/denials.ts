import { findStarts, isNarrowedFind } from "./find.ts";
import { hasLong, type Options, readOptions } from "./options.ts";
import { HOME, resolvePath } from "./values.ts";

/** Why a command is refused in every mode, and what to do instead. */
export interface Denial {
  readonly detail: string;
  readonly saferWay: string;
}

/** Refused: a script from the network that nobody has read. */
export const FETCHED_SCRIPT: Denial = {
  detail: "text from the network is run without being read",
  saferWay: "Download it to a file, read the file, and run it only when it does what you need.",
};

/** Refused: processes that multiply until the machine stops. */
export const FORK_BOMB: Denial = {
  detail: "a function starts itself more than once, without end",
  saferWay: "Start a counted number of processes, and wait for them.",
};

const FORCE_PUSH: Denial = {
  detail: "a forced push can delete commits that others pushed",
  saferWay: "Use git push --force-with-lease, or push to a new branch.",
};

const HARD_RESET: Denial = {
  detail: "git reset --hard discards uncommitted work",
  saferWay: "Use git stash push to keep the work, or git reset --keep, which refuses to lose it.",
};

const WHOLE_TREE: Denial = {
  detail: "it reaches the whole file system or a home folder",
  saferWay: "Name the files or folders inside the workspace that are meant.",
};

const RAW_DEVICE: Denial = {
  detail: "it writes to a raw device, over any file system on it",
  saferWay: "Write to an image file in the workspace instead.",
};

/** Folders that a system, or all of a user's work, lives in. */
const TREE_ROOTS =
  /^\/(?:(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|Users|System|Library)(?:\/\*)?|(?:home|Users)\/[^/]+(?:\/\*)?)?$/;

/** A glob directly below the root or a home folder: `/*`, `~/.*`. */
const TREE_GLOB = new RegExp(`^(?:${HOME})?/[.]?[*?[][^/]*$`);

/** Block devices and memory, by their names on Linux, macOS and the BSDs. */
const DEVICE =
  /^\/dev\/(?:[shv]d[a-z*?[]|xvd|nvme|mmcblk|r?disk\d|md\d|dm-|mapper\/|disk\/|block\/|loop\d|nbd\d|zd\d|sr\d|k?mem$|port$|root$)/;

/** Kernel files where a single byte can stop or restart the machine. */
const KERNEL_FILE = /^\/proc\/sysrq-trigger$/;

/** Why a command with these words is refused; undefined when it is not. `cwd` as in ShellState. */
export function denialOf(words: readonly string[], cwd: string): Denial | undefined {
  const [program = "", ...args] = words;
  switch (program) {
    case "rm":
      return removesTree(readOptions(args), cwd) ? WHOLE_TREE : undefined;
    case "chmod":
    case "chown":
    case "chgrp":
      return isRecursive(readOptions(args)) && reachesTree(args, cwd) ? WHOLE_TREE : undefined;
    case "find":
      return findsTree(args, cwd) ? WHOLE_TREE : undefined;
    case "dd":
      return args.some((arg) => arg.startsWith("of=") && isDevice(arg.slice(3), cwd))
        ? RAW_DEVICE
        : undefined;
    case "git":
      return gitDenial(args);
    default:
      return writesDevice(program, args, cwd) ? RAW_DEVICE : undefined;
  }
}

/** Why a redirection that writes to `target` is refused. */
export function redirectDenial(target: string, cwd: string): Denial | undefined {
  return isDevice(target, cwd) ? RAW_DEVICE : undefined;
}

function isRecursive(options: Options): boolean {
  return options.letters.has("r") || options.letters.has("R") ||
    hasLong(options, "--recursive", "--r");
}

function removesTree(options: Options, cwd: string): boolean {
  return isRecursive(options) && reachesTree(options.operands, cwd);
}

function reachesTree(paths: readonly string[], cwd: string): boolean {
  return paths.some((path) => isTree(resolvePath(cwd, path)));
}

function isTree(path: string): boolean {
  return path === HOME || TREE_ROOTS.test(path) || TREE_GLOB.test(path);
}

/** `find / -delete` and its like, unless a test narrows what is found. */
function findsTree(args: readonly string[], cwd: string): boolean {
  return args.includes("-delete") && !isNarrowedFind(args) && reachesTree(findStarts(args), cwd);
}

/** Programs that write to each path, or to the last one, that they are given. */
const WRITERS =
  /^(?:tee|cp|mv|install|shred|wipefs|blkdiscard|mkswap|fdisk|sfdisk|gdisk|sgdisk|parted|mke2fs|mkfs(?:\..+)?|badblocks|truncate)$/;

function writesDevice(program: string, args: readonly string[], cwd: string): boolean {
  if (!WRITERS.test(program)) return false;
  const paths = args.filter((arg) => !arg.startsWith("-"));
  const targets = /^(?:cp|mv|install)$/.test(program) ? paths.slice(-1) : paths;
  return targets.some((path) => isDevice(path, cwd));
}

function isDevice(path: string, cwd: string): boolean {
  const resolved = resolvePath(cwd, path);
  return DEVICE.test(resolved) || KERNEL_FILE.test(resolved);
}

function gitDenial(args: readonly string[]): Denial | undefined {
  const [subcommand, ...rest] = args;
  const options = readOptions(rest, "o");
  if (subcommand === "reset" && hasLong(options, "--hard", "--ha")) return HARD_RESET;
  if (subcommand !== "push" && subcommand !== "send-pack") return undefined;
  const forced = options.letters.has("f") || options.long.has("--force") ||
    hasLong(options, "--mirror", "--mi") || options.operands.some((ref) => /^\+./.test(ref));
  return forced ? FORCE_PUSH : undefined;
}
