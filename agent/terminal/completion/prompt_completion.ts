import type { SlashCommand } from "../slash/command.ts";
import type { Desk } from "../slash/desk.ts";
import { registryOf } from "../slash/registry.ts";
import { commandCompletion } from "./command_completion.ts";
import type { Completer } from "./completer.ts";
import { fileCompletion } from "./file_completion.ts";
import { fileNames } from "./file_names.ts";

/** Files of commands and lists of sessions are read anew after so long, in milliseconds. */
const FRESH_MS = 3_000;

/** Everything that can be completed at a prompt: commands at its beginning, `@file` anywhere. */
export function promptCompletion(desk: Desk, now: () => number = Date.now): Completer {
  const fresh = freshValues(now);
  const commands = () => fresh("/", async () => (await registryOf(desk)).commands);
  const argumentsOf = (command: SlashCommand) =>
    fresh(command.name, async () => await command.arguments?.(desk) ?? []);
  const sources = [
    commandCompletion(commands, argumentsOf),
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

/** Keeps what was loaded under a name until it is {@linkcode FRESH_MS} old. */
function freshValues(now: () => number) {
  const known = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>();
  return <T>(name: string, load: () => Promise<T>): Promise<T> => {
    const before = known.get(name);
    // A name has one way of loading, and so one type.
    if (before && now() - before.at <= FRESH_MS) return before.value as Promise<T>;
    const value = load();
    known.set(name, { at: now(), value });
    return value;
  };
}
