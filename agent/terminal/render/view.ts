import type { Style } from "../style.ts";

/** What lines are drawn for. */
export interface View {
  /** Of the terminal, in columns; below {@linkcode MIN_WIDTH} that many are drawn all the same. */
  readonly width: number;
  readonly style: Style;
}

/** The fewest columns that anything is drawn for; a narrower terminal wraps the lines itself. */
export const MIN_WIDTH = 10;

/** The columns that there are to draw in. */
export function widthOf({ width }: Pick<View, "width">): number {
  return Number.isFinite(width) ? Math.max(MIN_WIDTH, Math.floor(width)) : MIN_WIDTH;
}

/** A view that is narrower by `columns`, down to {@linkcode MIN_WIDTH}. */
export function narrowed(view: View, columns: number): View {
  return { ...view, width: Math.max(MIN_WIDTH, widthOf(view) - columns) };
}
