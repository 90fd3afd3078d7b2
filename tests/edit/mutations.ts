import fc from "fast-check";

/** Lines that collide often: twins, blanks, markers and look-alikes of what the parsers know. */
const LINES = [
  "a",
  "b",
  "  a",
  "\ta",
  "a  ",
  "",
  "  ",
  "“a”",
  '"a"',
  "=======",
  "<<<<<<< ORIGINAL",
  ">>>>>>> UPDATED",
  "*** End Patch",
  "@@ a",
  "# ...",
  "1| a",
  "```",
  "a\rb",
  "é😀",
  "a\\nb",
  "&lt;a",
];

/** A text of lines with any mixture of line endings, its end open or closed. */
export const fileText: fc.Arbitrary<string> = fc.tuple(
  fc.array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...LINES), fc.string({ unit: "grapheme", maxLength: 8 })),
      fc.constantFrom("\n", "\n", "\r\n"),
    ),
    { maxLength: 12 },
  ),
  fc.constantFrom(...LINES),
).map(([lines, last]) => lines.map(([line, end]) => line + end).join("") + last);

/** A file and a patch for it. */
export interface Pair {
  readonly file: string;
  readonly patch: string;
}

/** A run of the file's lines, bent as a model bends them, and lines to put there. */
interface Part {
  readonly before: readonly string[];
  readonly old: readonly string[];
  readonly fresh: readonly string[];
}

const BENDS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line,
  (line) => line.replace(/[ \t]+$/, ""),
  (line) => line === "" ? line : `    ${line}`,
  (line) => line.replace(/^ {2}/, ""),
  (line) => line.replace(/[“”]/g, '"'),
];

/** A conflict patch of one to three hunks, valid for its file as often as lines are unique. */
export const conflictPatch: fc.Arbitrary<Pair> = pair(({ old, fresh }) => {
  const text = (lines: readonly string[]) => lines.map((line) => line + "\n").join("");
  return `<<<<<<< ORIGINAL\n${text(old)}=======\n${text(fresh)}>>>>>>> UPDATED\n`;
}, (body) => body);

/** A codex patch that updates one file, with a line of context and sometimes an anchor. */
export const codexPatch: fc.Arbitrary<Pair> = pair(({ before, old, fresh }) => {
  const signed = (sign: string, lines: readonly string[]) =>
    lines.map((line) => `${sign}${line}\n`).join("");
  const anchor = before.length > 1 ? `@@ ${before[0]}\n` : "@@\n";
  return anchor + signed(" ", before.slice(-1)) + signed("-", old) + signed("+", fresh);
}, (body) => `*** Begin Patch\n*** Update File: f\n${body}*** End Patch\n`);

function pair(hunkOf: (part: Part) => string, wrap: (body: string) => string): fc.Arbitrary<Pair> {
  const pick = fc.record({
    start: fc.nat(),
    size: fc.integer({ min: 0, max: 4 }),
    fresh: fc.array(fc.oneof(fc.constantFrom(...LINES), fc.string({ maxLength: 4 })), {
      maxLength: 3,
    }),
    bend: fc.constantFrom(...BENDS),
  });
  return fc.tuple(fileText, fc.array(pick, { minLength: 1, maxLength: 3 })).map(([file, picks]) => {
    const lines = file.split(/\r?\n/);
    const hunks = picks.map(({ start, size, fresh, bend }) => {
      const at = start % lines.length;
      const old = lines.slice(at, at + size).map(bend);
      return hunkOf({ before: lines.slice(Math.max(0, at - 2), at).map(bend), old, fresh });
    });
    return { file, patch: wrap(hunks.join("")) };
  });
}

/** A patch with up to three of its lines or characters gone, doubled, exchanged or foreign. */
export function mutated(valid: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  const step = fc.record({
    kind: fc.constantFrom("cut", "drop", "double", "swap", "insert", "crlf"),
    at: fc.nat(),
    text: fc.constantFrom(...LINES, "<<<<<<<< ORIGINAL", "*** Update File: g", "@@"),
  });
  return fc.tuple(valid, fc.array(step, { maxLength: 3 })).map(([{ file, patch }, steps]) => ({
    file,
    patch: steps.reduce((now, { kind, at, text }) => mutate(now, kind, at, text), patch),
  }));
}

function mutate(text: string, kind: string, seed: number, line: string): string {
  const lines = text.split("\n");
  const at = seed % lines.length;
  switch (kind) {
    case "cut":
      return text.slice(0, seed % (text.length + 1));
    case "drop":
      return lines.toSpliced(at, 1).join("\n");
    case "double":
      return lines.toSpliced(at, 0, lines[at] ?? "").join("\n");
    case "swap":
      return lines.toSpliced(at, 1).toSpliced(seed % 7, 0, lines[at] ?? "").join("\n");
    case "insert":
      return lines.toSpliced(at, 0, line).join("\n");
    default:
      return text.replaceAll("\n", "\r\n");
  }
}
