import { PROJECT_FOLDER } from "./config/project.ts";

/** Files of a project that are not used before a person trusts its folder. */
export interface Waiting {
  readonly commands?: readonly unknown[];
  /** Their paths. */
  readonly skills?: readonly string[];
  readonly agents?: readonly unknown[];
}

/** That files wait for trust, in one sentence; undefined where there are none. Pure. */
export function waitingText(
  { commands = [], skills = [], agents = [] }: Waiting,
): string | undefined {
  const [skill] = skills;
  const where = skills.length === 1 ? ` (${skill})` : "";
  const parts = [
    ...part(commands.length, "a command", "commands", ` in ${PROJECT_FOLDER}/commands`),
    ...part(skills.length, "a skill", "skills", where),
    ...part(agents.length, "an agent", "agents", ` in ${PROJECT_FOLDER}/agents`),
  ];
  const last = parts.pop();
  if (last === undefined) return undefined;
  const what = parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
  const them = commands.length + skills.length + agents.length === 1 ? "it" : "them";
  return `This project has ${what}, not used before you trust the folder: look at ${them}, ` +
    "then say cordon trust";
}

function part(count: number, one: string, many: string, where: string): string[] {
  return count === 0 ? [] : [`${count === 1 ? one : `${count} ${many}`}${where}`];
}
