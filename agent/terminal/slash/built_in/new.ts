import type { SlashCommand } from "../command.ts";
import { exchange } from "../exchange.ts";

/** `/new`: begins a session in which nothing was said. */
export const newCommand: SlashCommand = {
  name: "new",
  hint: "",
  description: "begin a new session; this one is kept",
  origin: "built-in",
  async run(_, desk) {
    await exchange(desk, { kind: "new" });
  },
};

/** `/clear`: the same by the name that other agents have for it. */
export const clearCommand: SlashCommand = { ...newCommand, name: "clear", alias: true };
