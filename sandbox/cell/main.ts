import { FORWARDER_ARGUMENT, runForwarder } from "../egress/forwarder.ts";
import { serveFiles } from "./server.ts";

/** What a cell never needs, whatever rights its program came with. */
const NEVER = ["net", "env", "sys", "ffi", "import"] as const;

/**
 * The cell: serves the capability `files` on standard input and output until its input ends. It has
 * no voice of its own: what it cannot tell the warden goes to standard error.
 */
export async function runCell(): Promise<void> {
  for (const name of NEVER) Deno.permissions.revokeSync({ name });
  await serveFiles({
    input: Deno.stdin.readable,
    output: Deno.stdout.writable,
    onSetup({ ripgrep }) {
      if (!ripgrep) Deno.permissions.revokeSync({ name: "run" });
    },
  });
}

if (import.meta.main) {
  // A view without socat has this program for the other work, too.
  if (Deno.args[0] === FORWARDER_ARGUMENT) await runForwarder(Deno.args.slice(1));
  else await runCell();
  // Reads that still hang (a file system that went away) hold nobody up.
  Deno.exit(0);
}
