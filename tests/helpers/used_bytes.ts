import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What this process has in use after a collection of garbage, in bytes. */
export function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  // What the first one finalizes is let go by the second.
  collect();
  collect();
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}
