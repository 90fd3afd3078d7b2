import type { PageElement } from "./dom.ts";

/** Cells that span more than this are a mistake of the page, or meant ill. */
const MAX_SPAN = 50;

/** Cells that are added to a table at the most. */
const MAX_ADDED = 5_000;

/** What is longer is not said again in the rows below, in characters. */
const MAX_REPEATED = 100;

/** A cell of a row above that reaches down to this one. */
interface Tall {
  readonly cell: PageElement;
  rowsLeft: number;
}

/**
 * Puts the cells that reach over several rows into each of these, since Markdown has none: a row
 * without them would stand under the wrong heads. Of a table that holds no other.
 */
export function repeatTallCells(table: PageElement): void {
  if (!table.querySelector("[rowspan]")) return;
  let section: PageElement | null = null;
  let tall = new Map<number, Tall>();
  let added = 0;
  for (const row of table.querySelectorAll("tr")) {
    // No cell reaches out of its section (HTML standard, 4.9.12).
    if (row.parentElement !== section) tall = new Map();
    section = row.parentElement;
    if (added < MAX_ADDED) added += fillRow(row, tall);
  }
}

/** Adds what reaches down to a row, and notes what reaches on; returns how many were added. */
function fillRow(row: PageElement, tall: Map<number, Tall>): number {
  const own = [...row.children];
  let added = 0;
  for (let column = 0; own.length > 0 || tall.has(column);) {
    const above = tall.get(column);
    const cell = above ? repeated(above.cell) : own.shift();
    if (!cell) break;
    if (above) {
      if (own[0]) own[0].before(cell);
      else row.append(cell);
      added++;
      if (--above.rowsLeft === 0) tall.delete(column);
    } else {
      const rowsLeft = spanOf(cell, "rowspan") - 1;
      if (rowsLeft > 0) tall.set(column, { cell, rowsLeft });
    }
    column += spanOf(cell);
  }
  return added;
}

function repeated(cell: PageElement): PageElement {
  const copy = cell.cloneNode(false);
  copy.removeAttribute("rowspan");
  const text = (cell.textContent ?? "").replaceAll(/\s+/g, " ").trim();
  if (text.length <= MAX_REPEATED) copy.append(text);
  return copy;
}

/** Over how many columns a cell reaches, or rows; at least 1. */
export function spanOf(cell: PageElement, name: "colspan" | "rowspan" = "colspan"): number {
  const span = Number(cell.getAttribute(name) ?? 1);
  return Number.isInteger(span) && span > 1 ? Math.min(span, MAX_SPAN) : 1;
}
