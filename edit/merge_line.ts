import { leadingBlanks, trimBlanks } from "./text.ts";
import { foldTypography } from "./typography.ts";

/** A line as the model has it and as the file has it. */
export interface Twin {
  readonly index: number;
  readonly old: string;
  readonly file: string;
}

/** The new line, with the file's characters where it begins like `head` and ends like `tail`. */
export function mergeEnds(line: string, head: Twin | undefined, tail: Twin | undefined): string {
  const twins = [head, tail].filter((twin) => twin !== undefined);
  if (twins.every(({ old, file }) => old === file)) return line;
  // Outer blanks have rungs of their own; without them both forms have the same length.
  if (!twins.every(isAligned)) {
    const core = trimBlanks(line);
    const from = leadingBlanks(line).length;
    return line.slice(0, from) + mergeAligned(core, trimmed(head), trimmed(tail)) +
      line.slice(from + core.length);
  }
  return mergeAligned(line, head, tail);
}

function isAligned({ old, file }: Twin): boolean {
  return old.length === file.length && foldTypography(old) === foldTypography(file);
}

function trimmed(twin: Twin | undefined): Twin | undefined {
  return twin && { ...twin, old: trimBlanks(twin.old), file: trimBlanks(twin.file) };
}

function mergeAligned(line: string, head: Twin | undefined, tail: Twin | undefined): string {
  const before = head === undefined ? 0 : commonHead(head.old, line);
  const taken = head?.index === tail?.index ? before : 0;
  const room = Math.min(line.length - before, (tail?.old.length ?? 0) - taken);
  const after = tail === undefined ? 0 : commonTail(tail.old, line, room);
  return (head?.file.slice(0, before) ?? "") + line.slice(before, line.length - after) +
    (tail?.file.slice(tail.file.length - after) ?? "");
}

function commonHead(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function commonTail(a: string, b: string, limit: number): number {
  let length = 0;
  while (length < limit && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}
