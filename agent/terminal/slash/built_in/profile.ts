import type { Profile } from "../../../../sandbox/rights/tier.ts";
import { UsageError } from "../../../command_line/parse.ts";
import type { SlashCommand } from "../command.ts";
import { exchange } from "../exchange.ts";

/** What each profile lets commands do, the narrowest first: that order tells what widens. */
export const PROFILES: Readonly<Record<Profile, string>> = {
  plan: "look, and change nothing",
  workspace: "change the workspace, no network",
  egress: "as workspace, and reach hosts that were granted",
  container: "anything in here: something else confines the whole machine",
  off: "anything: nothing confines them",
};

/** `/profile [NAME]`: tells what confines commands, or changes it; a person agrees to what widens it. */
export const profileCommand: SlashCommand = {
  name: "profile",
  hint: "[NAME]",
  description: "show what confines commands, or change it",
  origin: "built-in",
  arguments: () => Object.entries(PROFILES).map(([label, description]) => ({ label, description })),
  async run(argument, desk) {
    const { profile: present } = desk.seat.agent.enclosure.rights.confinement;
    if (argument === "") return desk.say(table(present));
    const wanted = profileOf(argument);
    if (wanted === present) return desk.say(`The profile is ${present} already`);
    if (widens(present, wanted)) {
      const question = `Profile ${wanted} lets commands do more: ${PROFILES[wanted]}. Widen it?`;
      if (!await desk.confirm(question)) return desk.say(`The profile stays ${present}`);
    }
    const changed = await exchange(desk, { kind: "settings", options: { profile: wanted } });
    if (changed) desk.say(`The profile is ${wanted} now`);
  },
};

/** Whether commands may do more in the second profile than in the first. */
export function widens(from: Profile, to: Profile): boolean {
  const order = Object.keys(PROFILES);
  return order.indexOf(to) > order.indexOf(from);
}

function profileOf(argument: string): Profile {
  if (isProfile(argument)) return argument;
  const names = Object.keys(PROFILES).join(", ");
  throw new UsageError(`Cannot take profile "${argument}": there are ${names}`);
}

function isProfile(name: string): name is Profile {
  return Object.hasOwn(PROFILES, name);
}

function table(present: Profile): string {
  return Object.entries(PROFILES).map(([name, what]) =>
    `${name === present ? "*" : " "} ${name.padEnd(10)} ${what}`
  ).join("\n");
}
