import type { NewRecord, SettingsRecord, Unstamped } from "../session/records.ts";
import type { AgentParts } from "./agent_parts.ts";

type Settings = Unstamped<SettingsRecord>;

/** How the session is run from now on, where its log does not say so yet. */
export function unloggedSettings(parts: AgentParts): readonly NewRecord[] {
  // The log holds no secret, as a password in an address.
  const present = parts.redaction.json(settingsOf(parts));
  const logged = parts.session.conversation.settings;
  const isLogged = logged !== undefined &&
    keysOf(present).every((key) => JSON.stringify(present[key]) === JSON.stringify(logged[key]));
  return isLogged ? [] : [present];
}

function settingsOf({ launch: { settings }, enclosure, model }: AgentParts): Settings {
  const { tier, profile } = enclosure.rights.confinement;
  const { baseUrl, wire } = settings.provider;
  return {
    type: "settings",
    ...{ model: model.name, base_url: baseUrl, wire, tool_format: settings.toolFormat },
    tools: enclosure.offered.map(({ name }) => name),
    ...{ profile, tier, approval: settings.approval },
  };
}

function keysOf(settings: Settings): (keyof Settings)[] {
  return Object.keys(settings) as (keyof Settings)[]; // made above, of these keys alone
}
