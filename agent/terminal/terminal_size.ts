/** The size of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What a terminal has that does not say, or is gone. */
const USUAL: Size = { columns: 80, rows: 24 };

/** The size of this process's terminal. */
export function terminalSize(): Size {
  try {
    const { columns, rows } = Deno.consoleSize();
    // A terminal that does not know its size says 0.
    return { columns: columns || USUAL.columns, rows: rows || USUAL.rows };
  } catch (error) {
    // There is none, or it was hung up and the end is on its way.
    if (isGone(error)) return USUAL;
    throw error;
  }
}

/**
 * EIO, ENOTTY and their like: what the system says of a terminal that was hung up. Deno's calls for
 * terminals say it by a plain `Error` without a code.
 */
export function isGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.BrokenPipe ||
    error.constructor === Error || "code" in error;
}
