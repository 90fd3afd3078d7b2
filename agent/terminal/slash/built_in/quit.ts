import type { SlashCommand } from "../command.ts";

/** `/quit`: ends the conversation. */
export const quitCommand: SlashCommand = {
  name: "quit",
  hint: "",
  description: "end the conversation; the session can be resumed",
  origin: "built-in",
  anytime: true,
  run: (_, desk) => desk.leave(),
};

/** `/exit`: the same. */
export const exitCommand: SlashCommand = { ...quitCommand, name: "exit", alias: true };
