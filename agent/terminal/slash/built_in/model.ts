import { profileIn } from "../../../config/choose_provider.ts";
import type { Config } from "../../../config/schema.ts";
import { hostOf, scriptOf } from "../../../settings.ts";
import type { SlashCommand } from "../command.ts";
import type { Desk } from "../desk.ts";
import { exchange } from "../exchange.ts";

/** `/model [NAME]`: tells the model, or goes on with another one. */
export const modelCommand: SlashCommand = {
  name: "model",
  hint: "[NAME]",
  description: "show the model, or go on with another",
  origin: "built-in",
  arguments: ({ seat }) => profileNames(seat.agent.launch.configuration.config),
  async run(name, desk) {
    if (name === "") return desk.say(describe(desk));
    const { config } = desk.seat.agent.launch.configuration;
    // A name that begins with a profile names its server, whatever flag named one before.
    const changed = await exchange(desk, {
      kind: "settings",
      options: { model: name },
      ...(profileIn(name, config) !== undefined && { without: ["provider", "base-url"] }),
    });
    if (changed) desk.say(`The model is ${desk.seat.agent.started.model} now`);
  },
};

function describe({ seat: { agent } }: Desk): string {
  const { settings: { model, provider }, configuration: { config } } = agent.launch;
  const at = scriptOf(model) === undefined ? ` at ${hostOf(provider)}` : "";
  const names = profileNames(config);
  const more = names.length > 0 ? `, servers by name: ${names.join(", ")}` : "";
  return `${agent.started.model}${at}\n/model NAME goes on with another${more}`;
}

function profileNames({ providers = {} }: Config): string[] {
  return Object.keys(providers).map((name) => `${name}/`);
}
