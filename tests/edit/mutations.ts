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

/** A valid conflict patch of one to three hunks. */
export const conflictPatch: fc.Arbitrary<string> = fc.array(
  fc.tuple(partLines(), partLines()),
  { minLength: 1, maxLength: 3 },
).map((hunks) =>
  hunks.map(([old, fresh]) => `<<<<<<< ORIGINAL\n${old}=======\n${fresh}>>>>>>> UPDATED\n`).join("")
);

/** A valid codex patch that updates one file. */
export const codexPatch: fc.Arbitrary<string> = fc.array(
  fc.tuple(
    fc.constantFrom("@@", "@@ a", "@@ -1,2 +1,2 @@", "@@ b\n@@ a"),
    fc.array(fc.tuple(fc.constantFrom(" ", "-", "+"), fc.constantFrom(...LINES)), {
      minLength: 1,
      maxLength: 6,
    }),
    fc.constantFrom("", "", "*** End of File\n"),
  ),
  { minLength: 1, maxLength: 3 },
).map((hunks) => {
  const body = hunks.map(([anchor, lines, end]) =>
    `${anchor}\n${lines.map(([sign, line]) => `${sign}${line}\n`).join("")}${end}`
  );
  return `*** Begin Patch\n*** Update File: f\n${body.join("")}*** End Patch\n`;
});

function partLines(): fc.Arbitrary<string> {
  const plain = LINES.filter((line) => !/^(?:=|<|>)/.test(line));
  return fc.array(fc.constantFrom(...plain), { maxLength: 4 })
    .map((lines) => lines.map((line) => line + "\n").join(""));
}

/** A text with some of its characters or lines gone, doubled, exchanged or foreign. */
export function mutated(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const step = fc.record({
    kind: fc.constantFrom("cut", "drop", "double", "swap", "insert", "crlf"),
    at: fc.nat(),
    text: fc.constantFrom(...LINES, "<<<<<<<< ORIGINAL", "*** Update File: g", "@@"),
  });
  return fc.tuple(valid, fc.array(step, { maxLength: 4 })).map(([text, steps]) =>
    steps.reduce((now, { kind, at, text: line }) => mutate(now, kind, at, line), text)
  );
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
