import { flagFinding, type Sorted } from "./flags.ts";
import type { Literal } from "./literals.ts";

/** Words of `find` that take no value and only look (GNU findutils 4.9, FreeBSD find). */
const FIND_WORDS = new Set([
  ..."-H -L -P -O0 -O1 -O2 -O3 -a -and -o -or -not ! ( ) , -daystart -depth -d -mount -x".split(
    " ",
  ),
  ..."-xdev -noleaf -nowarn -warn -ignore_readdir_race -noignore_readdir_race".split(" "),
  ..."-empty -executable -readable -writable -nouser -nogroup -true -false -follow".split(" "),
  ..."-print -print0 -ls -prune -quit --help --version".split(" "),
]);

/** Words of `find` whose value is a test's text or number. */
const FIND_TEXT = new Set([
  ..."-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype".split(" "),
  ..."-type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin".split(" "),
  ..."-newermt -newerat -newerct -perm -user -group -uid -gid -links -inum -used -fstype".split(
    " ",
  ),
  ..."-lname -ilname -printf".split(" "),
]);

/** Words of `find` whose value is a path that it looks at. */
const FIND_PATH = new Set("-newer -anewer -cnewer -samefile".split(" "));

/** Sorts the words of `find`: nothing may run, delete or write. */
export function sortFind(args: readonly Literal[]): Sorted {
  const paths: Literal[] = [];
  let inExpression = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined) break;
    if (arg.startsWild) return { paths, finding: wildFinding(arg) };
    const isWord = /^[-!(),]/.test(arg.text);
    if (!isWord && !inExpression) {
      paths.push(arg);
      continue;
    }
    inExpression ||= isWord && !/^-[HLPO]/.test(arg.text);
    const takesPath = FIND_PATH.has(arg.text);
    if (takesPath || FIND_TEXT.has(arg.text)) {
      const value = args[++at];
      const finding = value === undefined ? undefined : findValueFinding(value);
      if (finding) return { paths, finding };
      if (takesPath && value) paths.push(value);
    } else if (!FIND_WORDS.has(arg.text)) {
      return { paths, finding: flagFinding("find", arg.text, "is not known as read-only") };
    }
  }
  return { paths };
}

/** A value that reads as an action counts as one, so that no reading of the line deletes. */
function findValueFinding(value: Literal) {
  if (value.startsWild) return wildFinding(value);
  const known = /^-\d/.test(value.text) || FIND_WORDS.has(value.text) ||
    FIND_TEXT.has(value.text) || FIND_PATH.has(value.text) ||
    /^-[ugorwxst=,+0-7]+$/.test(value.text);
  if (!value.text.startsWith("-") || known) return undefined;
  return flagFinding("find", value.text, "is not known as read-only");
}

function wildFinding({ text }: Literal) {
  const detail = `the names that "${text}" matches may be flags`;
  return { code: "expansion" as const, detail };
}

/** Operators of `test` that only look at files, texts and whole numbers (bash manual). */
const TEST_WORDS = new Set(
  ("-a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -z -n -o = == != < > -eq -ne " +
    "-lt -le -gt -ge -ef -nt -ot ! ( )").split(" "),
);

/**
 * Sorts the words of `test` and `[`. `-v` and `-R` evaluate an array index, which can run commands,
 * and stay out.
 */
export function sortTest(name: string, args: readonly Literal[]): Sorted {
  const isBracket = name === "[";
  if (isBracket && args.at(-1)?.text !== "]") {
    return { paths: [], finding: { code: "syntax", detail: '"[" lacks its "]"' } };
  }
  const paths: Literal[] = [];
  for (const arg of isBracket ? args.slice(0, -1) : args) {
    if (arg.startsWild) return { paths, finding: wildFinding(arg) };
    if (TEST_WORDS.has(arg.text) || /^-\d+$/.test(arg.text)) continue;
    if (/^-./.test(arg.text)) {
      return { paths, finding: flagFinding(name, arg.text, "is not known as read-only") };
    }
    paths.push(arg);
  }
  return { paths };
}
