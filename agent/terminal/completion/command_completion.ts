import type { SlashCommand } from "../slash/command.ts";
import type { Choice } from "../slash/desk.ts";
import type { Completer, Completion } from "./completer.ts";
import { bestMatches } from "./fuzzy.ts";

/** Completes the name of a slash command at the beginning of the text, and the word behind it. */
export function commandCompletion(
  commands: () => Promise<readonly SlashCommand[]>,
  argumentsOf: (command: SlashCommand) => Promise<readonly Choice[]>,
): Completer {
  return {
    async complete(text, cursor) {
      const before = text.slice(0, cursor);
      const [, name, argument] = /^\/(?!\/)([^\s/]*)(?:[ \t]+([^\n]*))?$/u.exec(before) ?? [];
      if (name === undefined) return undefined;
      return argument === undefined
        ? await completeName(name, cursor, await commands())
        : await completeArgument(name, argument, cursor, await commands(), argumentsOf);
    },
  };
}

async function completeName(
  typed: string,
  cursor: number,
  commands: readonly SlashCommand[],
): Promise<Completion | undefined> {
  const found = await bestMatches(typed, commands, ({ name }) => name);
  if (found.length === 0) return undefined;
  const items = found.map(({ name, hint, description }) => ({
    // A blank invites what may follow.
    value: hint === "" ? `/${name}` : `/${name} `,
    label: `/${name} ${hint}`.trimEnd(),
    description,
  }));
  return { start: 0, end: cursor, items };
}

async function completeArgument(
  name: string,
  typed: string,
  cursor: number,
  commands: readonly SlashCommand[],
  argumentsOf: (command: SlashCommand) => Promise<readonly Choice[]>,
): Promise<Completion | undefined> {
  const command = commands.find((known) => known.name === name);
  if (!command) return undefined;
  const found = await bestMatches(typed, await argumentsOf(command), ({ label }) => label);
  if (found.length === 0) return undefined;
  const items = found.map((choice) => ({ value: choice.label, ...choice }));
  return { start: cursor - typed.length, end: cursor, items };
}
