import type { PageElement } from "./dom.ts";
import { repeatTallCells, spanOf } from "./tall_cells.ts";
import type { MarkdownService } from "./turndown.ts";

/** Set on tables that only lay out a page. */
const LAYOUT = "data-layout";

/** What no table of data holds in its cells. */
const BLOCKS = "table, pre, h1, h2, h3, h4, h5, h6, blockquote, ul ul, form, article, section";

/**
 * Marks the tables of an element that lay out a page: their cells become text as it stands. In those
 * of data every row gets all of its cells.
 */
export function prepareTables(root: PageElement): void {
  for (const table of root.querySelectorAll("table")) {
    const laidOut = table.getAttribute("role") === "presentation" ||
      table.querySelector(BLOCKS) !== null || columnsOf(table) < 2;
    if (laidOut) table.setAttribute(LAYOUT, "");
    else if (!table.querySelector("tr")) table.remove();
    else repeatTallCells(table);
  }
}

function columnsOf(table: PageElement): number {
  const rows = [...table.querySelectorAll("tr")];
  return rows.reduce((most, row) => Math.max(most, row.children.length), 0);
}

/** Rules for tables, as GitHub writes them; the first row is the head, whatever it says. */
export function addTables(service: MarkdownService): void {
  service.addRule("cell", {
    filter: ["th", "td"],
    replacement(text, cell) {
      if (isLayout(cell)) return `\n\n${text}\n\n`;
      const flat = text.trim().replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
      return `| ${flat} ${"| ".repeat(spanOf(cell) - 1)}`;
    },
  });
  service.addRule("row", {
    filter: "tr",
    replacement(text, row) {
      if (isLayout(row)) return text;
      const line = `${text.trim()} |\n`;
      if (tableOf(row)?.querySelector("tr") !== row) return line;
      const columns = [...row.children].reduce((sum, cell) => sum + spanOf(cell), 0);
      return `${line}|${" --- |".repeat(columns)}\n`;
    },
  });
  service.addRule("section of a table", {
    filter: ["thead", "tbody", "tfoot"],
    replacement: (text) => text,
  });
  service.addRule("caption", { filter: "caption", replacement: (text) => `${text.trim()}\n\n` });
  service.addRule("table", {
    filter: "table",
    replacement: (text) => `\n\n${text.trim()}\n\n`,
  });
}

function isLayout(part: PageElement): boolean {
  return tableOf(part)?.hasAttribute(LAYOUT) ?? true;
}

function tableOf(part: PageElement): PageElement | null {
  return part.closest("table");
}
