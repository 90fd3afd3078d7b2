import type { Launch } from "../../../launch.ts";
import { listModels } from "../../../model/list_models.ts";
import { hostOf, scriptOf, type Settings } from "../../../settings.ts";

/** The models of a server, or why they are not known, in a few words. */
export type ServerModels =
  | { readonly ok: true; readonly models: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** What servers said, by the settings that they were asked with: those of one agent. */
const known = new WeakMap<Settings, readonly string[]>();

/**
 * Asks the configured server for its models, `limitMs` milliseconds at the most, where it may be
 * reached and is one.
 */
export async function askForModels(
  { settings, grants }: Pick<Launch, "settings" | "grants">,
  limitMs: number,
  signal?: AbortSignal,
): Promise<ServerModels> {
  if (scriptOf(settings.model) !== undefined) return { ok: false, why: "a script plays" };
  const host = hostOf(settings.provider);
  if (!grants.allows("net", host)) return { ok: false, why: `${host} may not be reached` };
  const answer = await listModels(settings, limitMs, signal);
  if (answer.kind === "silence") return { ok: false, why: answer.why };
  const { models, status } = answer;
  if (models === undefined) return { ok: false, why: `the server lists none (${status})` };
  known.set(settings, models);
  return { ok: true, models };
}

/** The models that the server named before, else after {@linkcode askForModels}; none if it fails. */
export async function knownModels(
  launch: Pick<Launch, "settings" | "grants">,
  limitMs: number,
): Promise<readonly string[]> {
  const before = known.get(launch.settings);
  if (before) return before;
  const asked = await askForModels(launch, limitMs);
  return asked.ok ? asked.models : [];
}
