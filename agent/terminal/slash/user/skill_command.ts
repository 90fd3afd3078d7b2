import { clipped } from "../../../clipped.ts";
import type { Skill } from "../../../skills/read_skill.ts";
import { NAME_PART } from "../typed_line.ts";
import type { UserCommand } from "./user_command.ts";

/** How much of a description a list of commands shows, in UTF-16 units. */
const MAX_DESCRIPTION_CHARS = 80;

/** The skills that a person may give as commands, each as a command of that name. */
export function skillCommands(skills: readonly Skill[]): UserCommand[] {
  return skills.filter(({ forPerson, name }) => forPerson && NAME_PART.test(name)).map(commandOf);
}

function commandOf({ name, path, description, folder, body, tools }: Skill): UserCommand {
  // Its text is full of shell, whose $1 is its own; only the whole of what was typed is put in.
  const text = body.replace(/\$(?!ARGUMENTS\b)/g, "$$$$");
  return {
    ...{ name, path, origin: "skill", hint: "[ARGUMENTS]", warnings: [] },
    description: clipped(description, MAX_DESCRIPTION_CHARS),
    body: `Follow the skill ${name}; paths in it are relative to ${folder}:\n\n${text}`,
    ...(tools && { tools }),
  };
}
