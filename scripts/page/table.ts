/** A table as `deno fmt` leaves it: cells padded to their columns; `---` draws the line. */
export function columns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = cells[0]?.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0))) ??
    [];
  return cells.map((row) => {
    const padded = row.map((cell, i) =>
      cell === "---" ? "-".repeat(widths[i] ?? 3) : cell.padEnd(widths[i] ?? 0)
    );
    return `| ${padded.join(" | ")} |`;
  }).join("\n");
}
