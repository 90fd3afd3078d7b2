import { ConfigurationError } from "../json_file.ts";
import type { Launch } from "../launch.ts";
import { hostOf, scriptOf } from "../settings.ts";

/**
 * Says before a session begins what would only show with the first request.
 * @throws {ConfigurationError} where the model cannot be asked, or not within the budget.
 */
export function checkModel({ settings, grants }: Launch): void {
  const { model, provider, limits } = settings;
  if (model === undefined) {
    throw new ConfigurationError(
      'No model is set: name one by --model, CORDON_MODEL or "model" in config.jsonc',
    );
  }
  if (scriptOf(model) === undefined && !grants.allows("net", hostOf(provider))) {
    throw new ConfigurationError(
      `Cannot reach the model: --allow-net=${hostOf(provider)} is not granted`,
    );
  }
  if (limits.maxBudgetUsd !== undefined && !provider.prices) {
    throw new ConfigurationError(
      'Cannot keep to --max-budget-usd: what the model costs is not known, set "prices" in config.jsonc',
    );
  }
}
