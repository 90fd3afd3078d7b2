import { profileIn } from "../../../config/choose_provider.ts";
import type { Config } from "../../../config/schema.ts";
import { hostOf, scriptOf } from "../../../settings.ts";
import type { SlashCommand } from "../command.ts";
import type { Desk } from "../desk.ts";
import { exchange } from "../exchange.ts";
import { askForModels, knownModels } from "./server_models.ts";

/** A person waits for the list, and can do without: in milliseconds. */
const LIMIT_MS = 5_000;

/** Who only types waits for less: what is completed cannot be seen before, in milliseconds. */
const COMPLETION_LIMIT_MS = 1_000;

/** Models that are named, at the most; some servers have hundreds. */
const MAX_MODELS = 40;

/** `/model [NAME]`: tells the model, or goes on with another one. */
export const modelCommand: SlashCommand = {
  name: "model",
  hint: "[NAME]",
  description: "show the model, or go on with another",
  origin: "built-in",
  async arguments({ seat: { agent: { launch } } }) {
    const models = await knownModels(launch, COMPLETION_LIMIT_MS);
    return [...models, ...profileNames(launch.configuration.config)].map((label) => ({ label }));
  },
  async run(name, desk) {
    if (name === "") return desk.say(await describe(desk));
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

/** The model, where it lives, and by which names another can be had. */
async function describe(desk: Desk): Promise<string> {
  const { settings: { model, provider }, configuration: { config } } = desk.seat.agent.launch;
  const isScript = scriptOf(model) !== undefined;
  const profiles = profileNames(config);
  return [
    `${desk.seat.agent.started.model}${isScript ? "" : ` at ${hostOf(provider)}`}`,
    ...(isScript ? [] : [`  models   ${await modelsText(desk)}`]),
    ...(profiles.length === 0 ? [] : [`  servers  ${profiles.join(", ")}`]),
    "/model NAME goes on with another",
  ].join("\n");
}

async function modelsText({ seat: { agent: { launch } }, working }: Desk): Promise<string> {
  const answer = await working(
    `asking ${hostOf(launch.settings.provider)} for its models`,
    (signal) => askForModels(launch, LIMIT_MS, signal),
  );
  if (!answer.ok) return `unknown: ${answer.why}`;
  const shown = answer.models.slice(0, MAX_MODELS);
  const more = answer.models.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ") || "none";
}

function profileNames({ providers = {} }: Config): string[] {
  return Object.keys(providers).map((name) => `${name}/`);
}
