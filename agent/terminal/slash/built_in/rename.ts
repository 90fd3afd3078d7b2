import { UsageError } from "../../../command_line/parse.ts";
import { sessionName } from "../../session_name.ts";
import type { SlashCommand } from "../command.ts";

/** `/rename NAME`: gives the session a name, by which it can be resumed. */
export const renameCommand: SlashCommand = {
  name: "rename",
  hint: "NAME",
  description: 'give this session a name; "" takes it away',
  origin: "built-in",
  async run(typed, desk) {
    const { session } = desk.seat.agent;
    if (typed === "") throw new UsageError('Cannot rename the session: give a name ("" for none)');
    const name = typed === '""' ? "" : sessionName(typed, session.id);
    await session.append({ type: "name", name });
    desk.say(name === "" ? "This session has no name now" : `This session is "${name}" now`);
  },
};
