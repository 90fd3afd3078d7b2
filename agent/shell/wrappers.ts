import { findStarts, isNarrowedFind } from "./find.ts";
import { FETCHED, UNKNOWN } from "./values.ts";

/** What a program that runs other programs would run. */
export type Inner =
  | { readonly kind: "command"; readonly words: readonly string[] }
  | { readonly kind: "script"; readonly text: string };

/** How a program names the command that it runs: its own flags, then the command's words. */
interface Wrapper {
  /** Its flags that take the next word as their value. */
  readonly withValue?: readonly string[];
  /** Words of its own before the command: `timeout 5`, `flock FILE`. */
  readonly operands?: number;
  /** Whether `NAME=value` words may stand before the command. */
  readonly assignments?: boolean;
  /** Whether words that it reads from its input are added to the command. */
  readonly readsWords?: boolean;
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>(Object.entries({
  builtin: {},
  busybox: {},
  chroot: { operands: 1 },
  command: {},
  coproc: {},
  dbus_run_session: {},
  doas: { withValue: ["-u", "-C"] },
  env: {
    withValue: ["-u", "--unset", "-C", "--chdir", "-S", "--split-string"],
    assignments: true,
  },
  exec: { withValue: ["-a"] },
  fakeroot: {},
  flock: { withValue: ["-w", "--timeout", "-E"], operands: 1 },
  ionice: { withValue: ["-c", "-n", "--class", "--classdata"] },
  nice: { withValue: ["-n", "--adjustment"] },
  nohup: {},
  parallel: { withValue: ["-j", "--jobs"], readsWords: true },
  setsid: {},
  stdbuf: { withValue: ["-i", "-o", "-e", "--input", "--output", "--error"] },
  strace: { withValue: ["-o", "-e", "-p", "-s"] },
  sudo: {
    withValue: ["-u", "--user", "-g", "--group", "-h", "-p", "-C", "-D", "-R", "-T", "-U"],
    assignments: true,
  },
  time: { withValue: ["-f", "--format", "-o", "--output"] },
  timeout: { withValue: ["-k", "--kill-after", "-s", "--signal"], operands: 1 },
  toybox: {},
  unshare: {},
  watch: { withValue: ["-n", "--interval"] },
  xargs: {
    withValue: [..."-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args".split(" ")],
    readsWords: true,
  },
}));

/** Shells: what follows `-c`, and what they read, is a script. */
const SHELLS = new Set("sh bash zsh dash ksh mksh ash fish rbash".split(" "));

/** Programs that run what they read when they are given no file. */
const INTERPRETERS = new Map([
  ...[...SHELLS].map((shell) => [shell, "c"] as const),
  ...[["python", "cm"], ["python2", "cm"], ["python3", "cm"], ["perl", "eE"]] as const,
  ...[["ruby", "e"], ["node", "ep"], ["php", "r"], ["lua", "e"], ["pwsh", "c"]] as const,
]);

/** What `words` would run, by every reading of its flags; empty for a program that runs nothing. */
export function innerOf(words: readonly string[], input: string | undefined): Inner[] {
  const [program = "", ...args] = words;
  if (SHELLS.has(program)) return shellScripts(args, input);
  switch (program) {
    case "eval":
      return [{ kind: "script", text: args.join(" ") }];
    case "trap":
    case "alias":
      return args.slice(0, program === "trap" ? 1 : undefined)
        .map((arg) => ({ kind: "script", text: arg.replace(/^[^=\s]*=/, "") }));
    case "su":
    case "runuser":
    case "script":
      return afterFlag(args, /^-\w*c$|^--command$/);
    case "find":
      return findActions(args);
    default:
      return wrapped(program, args, input);
  }
}

/** Whether `words` run what they read from their input. */
export function runsInput(words: readonly string[]): boolean {
  const [program = "", ...args] = words;
  if (program === "source" || program === ".") return isInput(args[0]);
  const code = INTERPRETERS.get(program);
  if (code === undefined) return false;
  for (const arg of args) {
    if (isInput(arg)) return true;
    if (!arg.startsWith("-")) return false;
    if (SHELLS.has(program) && /^-\w*s/.test(arg)) return true;
    if (!arg.startsWith("--") && [...code].some((letter) => arg.includes(letter))) return false;
  }
  return true;
}

/** Whether `words` run text that was fetched from the network and stands in their arguments. */
export function runsFetchedArgument(words: readonly string[]): boolean {
  const [program = "", ...args] = words;
  const runs = INTERPRETERS.has(program) || ["eval", "source", "."].includes(program);
  return runs && args.some((arg) => arg.includes(FETCHED));
}

function isInput(arg: string | undefined): boolean {
  return arg === "-" || arg === "/dev/stdin" || arg === "/dev/fd/0" || arg === "/proc/self/fd/0";
}

function shellScripts(args: readonly string[], input: string | undefined): Inner[] {
  const given = afterFlag(args, /^-\w*c\w*$|^--command$/);
  if (given.length > 0) return given;
  return input !== undefined && runsInput(["sh", ...args]) ? [{ kind: "script", text: input }] : [];
}

function afterFlag(args: readonly string[], flag: RegExp): Inner[] {
  const at = args.findIndex((arg) => flag.test(arg));
  const text = args.slice(at + 1).find((arg) => !/^[-+]\w/.test(arg));
  return at < 0 || text === undefined ? [] : [{ kind: "script", text }];
}

/** Each `-exec … ;` of `find`; `{}` is what it found: its starting points too. */
function findActions(args: readonly string[]): Inner[] {
  const found: Inner[] = [];
  const starts = isNarrowedFind(args) ? [] : findStarts(args);
  for (let at = 0; at < args.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[at] ?? "")) continue;
    const end = args.findIndex((arg, index) => index > at && (arg === ";" || arg === "+"));
    const words = args.slice(at + 1, end < 0 ? undefined : end);
    found.push({
      kind: "command",
      words: words.flatMap((word) => word === "{}" ? [...starts, UNKNOWN] : [word]),
    });
  }
  return found;
}

function wrapped(program: string, args: readonly string[], input: string | undefined): Inner[] {
  const wrapper = WRAPPERS.get(program);
  if (wrapper === undefined) return [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      at += 1;
      break;
    }
    if (/^(?:-S|--split-string)$/.test(arg) && program === "env") {
      return [{ kind: "script", text: args.slice(at + 1).join(" ") }];
    }
    const isAssignment = wrapper.assignments === true && /^\w+=/.test(arg);
    if (!isAssignment && !/^-./.test(arg)) break;
    if (wrapper.withValue?.includes(arg)) at += 1;
  }
  const words = args.slice(at + (wrapper.operands ?? 0));
  if (words.length === 0) return [];
  const added = wrapper.readsWords ? input?.split(/\s+/).filter((word) => word) ?? [UNKNOWN] : [];
  const command: Inner = { kind: "command", words: [...words, ...added] };
  // `parallel` and `watch` hand a single word to a shell.
  const [text = ""] = words;
  return /\s/.test(text) ? [{ kind: "script", text }] : [command];
}
