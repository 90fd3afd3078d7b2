import type { ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk";
import { type DiffRow, parseUnifiedDiff } from "../terminal/render/unified_diff.ts";

/** What a call changes, as an editor shows it. */
export interface ShownDiff {
  /** One for each hunk. */
  readonly content: readonly ToolCallContent[];
  /** The first changed line of each hunk. */
  readonly locations: readonly ToolCallLocation[];
}

/**
 * A unified diff as old and new texts, hunk by hunk: an editor compares them itself. `named` makes
 * the path by which the editor knows a file. Pure.
 */
export function shownDiff(diff: string, named: (path: string) => string): ShownDiff {
  const content: ToolCallContent[] = [];
  const locations: ToolCallLocation[] = [];
  for (const { old, fresh, rows, note } of parseUnifiedDiff(diff)) {
    const path = named(fresh ?? old ?? "");
    if (note !== undefined) locations.push({ path });
    for (const hunk of hunksOf(rows)) {
      const oldText = textOf(hunk, "removed");
      const newText = textOf(hunk, "added");
      content.push({ type: "diff", path, oldText: old === undefined ? null : oldText, newText });
      locations.push({ path, line: firstChange(hunk) });
    }
  }
  return { content, locations };
}

/** The rows between gaps. */
function hunksOf(rows: readonly DiffRow[]): DiffRow[][] {
  const hunks: DiffRow[][] = [];
  let open: DiffRow[] = [];
  for (const row of [...rows, { kind: "gap" } as const]) {
    if (row.kind !== "gap") open.push(row);
    else if (open.length > 0) {
      hunks.push(open);
      open = [];
    }
  }
  return hunks;
}

/** The lines of one side, each with its line end but where the diff says that it has none. */
function textOf(hunk: readonly DiffRow[], side: "removed" | "added"): string {
  let text = "";
  for (const [at, row] of hunk.entries()) {
    if (row.kind !== "same" && row.kind !== side) continue;
    text += hunk[at + 1]?.kind === "unterminated" ? row.text : `${row.text}\n`;
  }
  return text;
}

/** In the new text, from 1; where lines are only removed, that of the line after them. */
function firstChange(hunk: readonly DiffRow[]): number {
  let next = 1;
  for (const row of hunk) {
    if (row.kind === "added") return row.fresh;
    if (row.kind === "removed") return Math.max(next, 1);
    if (row.kind === "same") next = row.fresh + 1;
  }
  return next;
}
