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
    if (!outcome.ok) return desk.warn(`Not compacted: ${outcome.reason}`);
    const { beforeTokens, afterTokens } = outcome;
    desk.say(`Compacted: about ${beforeTokens} tokens before, ${afterTokens} now`);
  },
};
