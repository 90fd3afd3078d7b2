import type { SlashCommand } from "../command.ts";

/** `/compact [INSTRUCTIONS]`: puts a summary in the place of what was said so far. */
export const compactCommand: SlashCommand = {
  name: "compact",
  hint: "[INSTRUCTIONS]",
  description: "summarise what was said so far; instructions say what matters",
  origin: "built-in",
  async run(instructions, desk) {
    const { agent } = desk.seat;
    const outcome = await desk.working(
      "compacting",
      (signal) => agent.compact(instructions || undefined, signal),
    );
    // What it came to is an event, told as that of every other compaction.
    if (!outcome.ok) desk.warn(`Not compacted: ${outcome.reason}`);
  },
};
