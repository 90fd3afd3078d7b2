/** A measured figure over several runs. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Smallest, middle and largest of at least one value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[Math.min(sorted.length - 1, Math.max(0, index))] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    min: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    max: at(sorted.length - 1),
  };
}

/** One line of the table that `deno task bench` prints. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly spread: Spread;
  /** The mark to beat, as words; empty where there is none. */
  readonly mark: string;
}

/** Rows as a Markdown table. */
export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.map(({ what, unit, spread, mark }) =>
    `| ${what} | ${number(spread.median)} ${unit} | ${number(spread.min)}–${
      number(spread.max)
    } | ${mark} |`
  );
  return ["| what | median | min–max | mark |", "|---|---:|---:|---|", ...lines].join("\n");
}

function number(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1);
}
