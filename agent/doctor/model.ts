import { nearestNames } from "../../tools/nearest_name.ts";
import type { Launch } from "../launch.ts";
import { listModels, type ModelsAnswer } from "../model/list_models.ts";
import { hostOf, scriptOf } from "../settings.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** How long the server may take for its list of models, in milliseconds. */
const LIMIT_MS = 10_000;
/** Clocks that differ by more than this break the checks of certificates and tokens, in milliseconds. */
const MAX_SKEW_MS = 5 * 60_000;

/** Whether the model has its key, is there, and lives at the same time as we do. */
export async function checkModel(launch: Launch, now: Date): Promise<Check[]> {
  const { model, provider } = launch.settings;
  const script = scriptOf(model);
  if (script !== undefined) {
    return [ok("key", "a script needs none"), ok("model", `${model}, not tried`), clock(now)];
  }
  const host = hostOf(provider);
  if (!launch.grants.allows("net", host)) {
    const fact = `${host} may not be reached`;
    return [key(launch), fail("model", fact, `Grant --allow-net=${host}`), clock(now)];
  }
  if (provider.keyRequired && launch.settings.apiKey === undefined) {
    const fact = `${host} is not tried without its key`;
    return [key(launch), warn("model", fact, "Set the key, then ask again"), clock(now)];
  }
  const answer = await listModels(launch.settings, LIMIT_MS);
  return [
    key(launch),
    judge(answer, launch),
    clock(now, answer.kind === "answer" ? answer.date : null),
  ];
}

function key({ settings: { provider, apiKey } }: Launch): Check {
  const { keyVariable, keyRequired, name } = provider;
  if (keyVariable === undefined) return ok("key", `${name} needs none`);
  if (apiKey !== undefined) return ok("key", `${keyVariable} is set`);
  if (!keyRequired) return ok("key", `${keyVariable} is not set, and may not be needed`);
  return fail(
    "key",
    `${keyVariable} is not set`,
    `Get a key of ${name}, then: export ${keyVariable}=…`,
  );
}

function judge(answer: ModelsAnswer, { settings: { model, provider } }: Launch): Check {
  const what = "model";
  const host = hostOf(provider);
  if (answer.kind === "silence") {
    const fix = "See that the server runs, that the address is right, and that the network is up";
    return fail(what, `${host} cannot be reached: ${answer.why}`, fix);
  }
  const { status, models } = answer;
  if (status === 401 || status === 403) {
    const variable = provider.keyVariable ?? "a header";
    return fail(
      what,
      `${host} refuses the key (${status})`,
      `Put a valid key of ${provider.name} into ${variable}`,
    );
  }
  if (model === undefined) {
    const some = models?.slice(0, 5).join(", ");
    const offered = some ? `, which has ${some}` : "";
    return fail(
      what,
      `none is set for ${host}${offered}`,
      "Name one by --model, CORDON_MODEL or in config.jsonc",
    );
  }
  if (status !== 200 || models === undefined) {
    return warn(
      what,
      `${host} answers, but lists no models (${status})`,
      `Try it: cordon -p -m ${model} hello`,
    );
  }
  if (models.includes(model)) return ok(what, `${model} at ${host}`);
  const near = nearestNames(model, models);
  const proposed = (near.length > 0 ? near : models.slice(0, 5)).join(", ") || "none";
  return warn(what, `${host} does not list ${model}`, `Name one that it has, as ${proposed}`);
}

function clock(now: Date, theirs: string | null = null): Check {
  const fact = now.toISOString();
  const skewMs = theirs === null ? 0 : Math.abs(now.getTime() - Date.parse(theirs));
  if (!(skewMs > MAX_SKEW_MS)) return ok("clock", fact);
  const minutes = Math.round(skewMs / 60_000);
  return warn(
    "clock",
    `${fact}, ${minutes} minutes from the server's`,
    "Set the clock of this machine",
  );
}
