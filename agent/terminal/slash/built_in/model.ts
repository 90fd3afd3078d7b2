import { profileIn } from "../../../config/choose_provider.ts";
import type { Config } from "../../../config/schema.ts";
import { listModels } from "../../../model/list_models.ts";
import { hostOf, scriptOf } from "../../../settings.ts";
import type { SlashCommand } from "../command.ts";
import type { Desk } from "../desk.ts";
import { exchange } from "../exchange.ts";

/** A person waits for the list, and can do without: in milliseconds. */
const LIMIT_MS = 5_000;

/** Models that are named, at the most; some servers have hundreds. */
const MAX_MODELS = 40;

/** `/model [NAME]`: tells the model, or goes on with another one. */
export const modelCommand: SlashCommand = {
  name: "model",
  hint: "[NAME]",
  description: "show the model, or go on with another",
  origin: "built-in",
  arguments: ({ seat }) =>
    profileNames(seat.agent.launch.configuration.config).map((label) => ({ label })),
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

async function modelsText({ seat: { agent }, working }: Desk): Promise<string> {
  const { settings, grants } = agent.launch;
  const host = hostOf(settings.provider);
  if (!grants.allows("net", host)) return `unknown: ${host} may not be reached`;
  const answer = await working(
    `asking ${host} for its models`,
    (signal) => listModels(settings, LIMIT_MS, signal),
  );
  if (answer.kind === "silence") return `unknown: ${answer.why}`;
  if (answer.models === undefined) return `unknown: the server lists none (${answer.status})`;
  const shown = answer.models.slice(0, MAX_MODELS);
  const more = answer.models.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ") || "none";
}

function profileNames({ providers = {} }: Config): string[] {
  return Object.keys(providers).map((name) => `${name}/`);
}
