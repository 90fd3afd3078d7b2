import { join } from "node:path";
import { openQuarantine, type Quarantine } from "../../sandbox/sweep/quarantine.ts";

/** The quarantine of a state folder. */
export function quarantineOf(state: string): Quarantine {
  return openQuarantine({
    folder: join(state, "quarantine"),
    now: Date.now,
    random: () => crypto.randomUUID().slice(0, 8),
  });
}
