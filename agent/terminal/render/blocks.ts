/** A part of a rendered answer. */
export type Block =
  /** Every line fits the width. */
  | { readonly kind: "text"; readonly lines: readonly string[] }
  /**
   * Code, line for line as it was written: no line is wrapped, indented or filled up, so that what
   * is selected in the terminal is the code. A line may be wider than the terminal, which then
   * breaks it itself; what must know its rows, as a live region, breaks it before.
   */
  | { readonly kind: "code"; readonly lines: readonly string[] };

/** All lines, as they are printed into the scrollback. */
export function linesOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ lines }) => lines);
}

/** Neighbours of one kind as one. */
export function joinBlocks(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last?.kind === "text" && block.kind === "text") {
      joined[joined.length - 1] = { kind: "text", lines: [...last.lines, ...block.lines] };
    } else joined.push(block);
  }
  return joined;
}

/** Text, or nothing where there are no lines. */
export function textBlock(lines: readonly string[]): Block[] {
  return lines.length === 0 ? [] : [{ kind: "text", lines }];
}

/** Groups of blocks with an empty line between each two. */
export function spaced(groups: readonly (readonly Block[])[]): Block[] {
  const blocks = groups.filter((group) => group.length > 0)
    .flatMap((group, index) => index === 0 ? group : [BLANK, ...group]);
  return joinBlocks(blocks);
}

/** An empty line. */
export const BLANK: Block = { kind: "text", lines: [""] };

/** Text after `first`, its other lines after `rest`; code stays where it is, to be copied. */
export function prefixed(blocks: readonly Block[], first: string, rest: string): Block[] {
  let isFirst = true;
  const marked = blocks.map((block): Block => {
    if (block.kind === "code") return block;
    const lines = block.lines.map((line) => {
      const prefix = isFirst ? first : rest;
      isFirst = false;
      return (prefix + line).trimEnd();
    });
    return { kind: "text", lines };
  });
  // What begins with code has its mark on a line of its own.
  return blocks[0]?.kind === "code" ? [...textBlock([first.trimEnd()]), ...marked] : marked;
}
