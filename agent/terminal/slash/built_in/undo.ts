import { UsageError } from "../../../command_line/parse.ts";
import { describeMove, describeMoved } from "../../move_text.ts";
import type { SlashCommand } from "../command.ts";
import type { Desk } from "../desk.ts";

/** `/undo [N]`: puts the files back as they were before the last N tasks. */
export const undoCommand: SlashCommand = {
  name: "undo",
  hint: "[N]",
  description: "take back what the last N tasks did to files",
  origin: "built-in",
  run: (argument, desk) => move("undo", argument, desk),
};

/** `/redo [N]`: does again what was undone. */
export const redoCommand: SlashCommand = {
  name: "redo",
  hint: "[N]",
  description: "bring back what was undone",
  origin: "built-in",
  run: (argument, desk) => move("redo", argument, desk),
};

async function move(role: "undo" | "redo", argument: string, desk: Desk): Promise<void> {
  const count = countOf(role, argument);
  const { moves, session } = desk.seat.agent;
  const prepared = await moves.prepareMove(role, count);
  if (!prepared.ok) return desk.say(prepared.why);
  desk.say(describeMove(prepared, session.id));
  const { kept } = await moves.makeMove(prepared);
  desk.say(describeMoved(prepared, kept, "/redo"));
}

function countOf(role: string, argument: string): number {
  const count = /^\d{0,6}$/.test(argument) ? Number(argument || 1) : 0;
  if (count >= 1) return count;
  throw new UsageError(`Cannot ${role} "${argument}": it takes a number of tasks, or none`);
}
