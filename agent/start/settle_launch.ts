import { agreesToMerge } from "./agree_to_merge.ts";
import { rolesFor, withRoles } from "../children/open.ts";
import type { Role } from "../children/roles.ts";
import type { OptionValues } from "../command_line/options.ts";
import { askForTrust } from "../config/ask_for_trust.ts";
import type { ReadVariable } from "../environment.ts";
import { type Launch, prepareLaunch } from "../launch.ts";
import { findPlaces } from "../places.ts";
import { asksFirst, type Audience } from "./audience.ts";

/** A launch that nothing is left to be asked for, and the roles of its sub-agents by name. */
export interface SettledLaunch {
  readonly launch: Launch;
  readonly roles: ReadonlyMap<string, Role>;
}

/**
 * Asks a person who can be asked now what the options and files leave open (whether a folder is
 * trusted, whether files may go to a model that merges edits), and prepares the launch.
 * @throws what {@linkcode prepareLaunch} does.
 */
export async function settleLaunch(
  options: OptionValues,
  env: ReadVariable,
  cwd: string,
  audience: Audience,
): Promise<SettledLaunch> {
  const asks = asksFirst(audience);
  if (asks) await askForTrust(findPlaces(options, env, cwd), audience.approve);
  let launch = await prepareLaunch(options, env, cwd);
  if (asks && await agreesToMerge(launch, audience.approve)) {
    launch = await prepareLaunch(options, env, cwd);
  }
  const roles = await rolesFor(launch, audience);
  return { launch: { ...launch, catalogue: withRoles(launch.catalogue, roles) }, roles };
}
