import { CommandError } from "../commands/commands.ts";
import type { PipedProcess } from "../commands/piped_process.ts";
import { BINDING_MS, killBelow } from "./end_namespace.ts";
import type { View } from "./view.ts";

/**
 * How a process that was just started in a view is killed. While its sandbox comes up bubblewrap
 * itself is left alone, and what is below it is killed until it ends: see {@linkcode BINDING_MS}.
 * Whoever must know that nothing is left waits for its status.
 */
export function killerOf(view: View, process: PipedProcess): () => void {
  const startedAt = performance.now();
  let running = true;
  let killing: Promise<void> | undefined;
  process.status.then(() => running = false);

  async function killWhole(): Promise<void> {
    try {
      while (running && performance.now() - startedAt < BINDING_MS) {
        await killBelow(view, process.pid);
      }
    } catch (error) {
      // No other bubblewrap can be started: then it goes with what can be had.
      if (!(error instanceof CommandError)) throw error;
    }
    process.kill();
  }
  return () => void (killing ??= killWhole());
}
