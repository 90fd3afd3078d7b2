import { serveFiles } from "./server.ts";

/** What a cell never does, whatever rights its program came with; a grant of files stays. */
const GIVEN_UP = ["run", "net", "env", "sys", "ffi", "import"] as const;

/**
 * The cell: serves the capability `files` on standard input and output until its input ends. It has
 * no voice of its own: what it cannot tell the warden goes to standard error.
 */
export async function runCell(): Promise<void> {
  for (const name of GIVEN_UP) Deno.permissions.revokeSync({ name });
  await serveFiles({ input: Deno.stdin.readable, output: Deno.stdout.writable });
}

if (import.meta.main) {
  await runCell();
  // Reads that still hang (a file system that went away) hold nobody up.
  Deno.exit(0);
}
