import type { SlashCommand } from "../slash/command.ts";
import type { Desk } from "../slash/desk.ts";
import { loadRegistry } from "../slash/registry.ts";
import { commandCompletion } from "./command_completion.ts";
import type { Completer } from "./completer.ts";
import { fileCompletion } from "./file_completion.ts";
import { fileNames } from "./file_names.ts";

/** Files of commands are read anew after so long, in milliseconds. */
const FRESH_MS = 3_000;

/** Everything that can be completed at a prompt: commands at its beginning, `@file` anywhere. */
export function promptCompletion(desk: Desk, now: () => number = Date.now): Completer {
  let known:
    | { readonly at: number; readonly commands: Promise<readonly SlashCommand[]> }
    | undefined;
  async function load(): Promise<readonly SlashCommand[]> {
    return (await loadRegistry(desk.seat.agent.launch)).commands;
  }
  function commands(): Promise<readonly SlashCommand[]> {
    if (!known || now() - known.at > FRESH_MS) known = { at: now(), commands: load() };
    return known.commands;
  }
  const sources = [
    commandCompletion(commands, desk),
    fileCompletion(fileNames(() => desk.seat.agent, now)),
  ];
  return {
    async complete(text, cursor) {
      for (const source of sources) {
        const completion = await source.complete(text, cursor);
        if (completion) return completion;
      }
      return undefined;
    },
  };
}
