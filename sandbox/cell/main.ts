import { serveFiles } from "./server.ts";

/**
 * The cell: serves the capability `files` on standard input and output until its input ends. It has
 * no voice of its own: what it cannot tell the warden goes to standard error.
 */
export async function runCell(): Promise<void> {
  await serveFiles({ input: Deno.stdin.readable, output: Deno.stdout.writable });
}

if (import.meta.main) {
  await runCell();
  // Reads that still hang (a file system that went away) hold nobody up.
  Deno.exit(0);
}
