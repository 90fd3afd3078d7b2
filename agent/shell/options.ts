/** A command's words sorted without a table: for rules that look for one flag among unknown ones. */
export interface Options {
  /** Single letters of all bundles, without their dashes. */
  readonly letters: ReadonlySet<string>;
  /** Long flags as written up to a `=`, with their dashes. */
  readonly long: ReadonlySet<string>;
  readonly operands: readonly string[];
}

/** Sorts `args`; letters in `withValue` take the rest of their word or the next word. */
export function readOptions(args: readonly string[], withValue = ""): Options {
  const letters = new Set<string>();
  const long = new Set<string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith("--")) long.add(arg.split("=")[0] ?? arg);
    else if (!/^-./.test(arg)) operands.push(arg);
    else if (readLetters(arg, withValue, letters)) at += 1;
  }
  return { letters, long, operands };
}

/** Adds the letters of a bundle; true when the next word is the last letter's value. */
function readLetters(arg: string, withValue: string, letters: Set<string>): boolean {
  for (let at = 1; at < arg.length; at++) {
    const letter = arg[at] ?? "";
    letters.add(letter);
    if (withValue.includes(letter)) return at + 1 === arg.length;
  }
  return false;
}

/** Whether a long flag is there, also cut short as GNU programs permit down to `shortest`. */
export function hasLong(options: Options, flag: string, shortest = flag): boolean {
  return [...options.long].some((given) => flag.startsWith(given) && given.startsWith(shortest));
}
