import { UsageError } from "../../../command_line/parse.ts";
import type { SlashCommand } from "../command.ts";
import { exchange } from "../exchange.ts";
import { recap } from "../recap.ts";

/** `/fork [--at N]`: goes on in a copy of the session, the whole or up to the Nth thing said. */
export const forkCommand: SlashCommand = {
  name: "fork",
  hint: "[--at N]",
  description: "go on in a copy of this session, from just before your Nth message",
  origin: "built-in",
  async run(argument, desk) {
    const at = numberOf(argument);
    const { id } = desk.seat.agent.session;
    if (!await exchange(desk, { kind: "fork", ...(at !== undefined && { at }) })) return;
    recap(desk);
    desk.say(`/resume ${id} goes back`);
  },
};

function numberOf(argument: string): number | undefined {
  if (argument === "") return undefined;
  const [, digits] = /^(?:--at[ =]\s*)?(\d{1,9})$/.exec(argument) ?? [];
  if (digits !== undefined && Number(digits) > 0) return Number(digits);
  throw new UsageError(`Cannot fork "${argument}": say --at N, N counts your messages from 1`);
}
