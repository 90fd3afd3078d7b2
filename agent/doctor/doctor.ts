import { isConfined } from "../../sandbox/rights/tier.ts";
import type { OptionValues } from "../command_line/options.ts";
import { UsageError } from "../command_line/parse.ts";
import { loadConfig } from "../config/load.ts";
import { encloseRun } from "../enclosure.ts";
import type { ReadVariable } from "../environment.ts";
import { ConfigurationError } from "../json_file.ts";
import { type Launch, prepareLaunch } from "../launch.ts";
import { ModelError } from "../model/model.ts";
import { findPlaces, type Places } from "../places.ts";
import { VERSION } from "../version.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { checkFolders } from "./folders.ts";
import { checkModel } from "./model.ts";
import { checkPrograms } from "./programs.ts";
import { checkWorktrees } from "./worktrees.ts";

/** The Deno that this version is tested with. */
const DENO = /^2\.9\./;

/** The private folders of the view that is opened to be looked at. */
const DOCTOR_VIEW = "doctor";

/** Looks at everything that a run with these options needs. What cannot be settled ends it early. */
export async function examine(
  options: OptionValues,
  env: ReadVariable,
  cwd: string,
  now: Date,
): Promise<Check[]> {
  const checks: Check[] = [version()];
  const places = await attempt("folder", () => findPlaces(options, env, cwd));
  if (isCheck(places)) return [...checks, places];
  checks.push(...await checkConfiguration(places));
  const launch = await attempt("options", () => prepareLaunch(options, env, cwd));
  if (isCheck(launch)) {
    // A file that cannot be used was told of with its place.
    const told = checks.some(({ status, fact }) => status === "fail" && fact === launch.fact);
    return told ? checks : [...checks, launch];
  }
  checks.push(
    ...await checkFolders(launch.places, launch.grants),
    ...checkWorktrees(launch.places, launch.grants),
    ...await checkPrograms(launch),
    ...await checkConfinement(launch),
    ...await checkModel(launch, now),
  );
  return checks;
}

function version(): Check {
  const { os, arch } = Deno.build;
  const fact = `cordon ${VERSION}, Deno ${Deno.version.deno}, ${os} ${arch}`;
  if (DENO.test(Deno.version.deno)) return ok("version", fact);
  return warn("version", fact, "Cordon is tested with Deno 2.9: use that, or the binary");
}

async function checkConfiguration(places: Places): Promise<Check[]> {
  const loaded = await attempt("configuration", () => loadConfig(places));
  if (isCheck(loaded)) return [loaded];
  const { files, project, warnings } = loaded;
  const read = files.map(({ path }) => {
    const ours = project.files.some((file) => file.path === path);
    return ok("configuration", ours ? `${path} (${project.trust})` : path);
  });
  return [
    ...(read.length > 0 ? read : [ok("configuration", "no file, the defaults hold")]),
    ...warnings.map((warning) => warn("configuration", warning, "See docs/configuration.md")),
  ];
}

async function checkConfinement(launch: Launch): Promise<Check[]> {
  const { rights, warnings } = await encloseRun(launch, { id: DOCTOR_VIEW, folder: undefined });
  const { confinement } = rights;
  const fact =
    `tier ${confinement.tier} (${confinement.tierReason}), profile ${confinement.profile}`;
  if (isConfined(confinement)) return [ok("sandbox", fact)];
  const fix = warnings[0] ?? "Leave it to Cordon: no --profile=off, no --allow-* without bwrap";
  return [warn("sandbox", fact, fix)];
}

/** What is made, or the check that says why it cannot be. */
async function attempt<T>(what: string, make: () => T | Promise<T>): Promise<T | Check> {
  try {
    return await make();
  } catch (error) {
    const expected = error instanceof UsageError || error instanceof ConfigurationError ||
      error instanceof ModelError;
    if (!expected) throw error;
    return fail(what, error.message, "Mend that, then ask again");
  }
}

function isCheck(value: object): value is Check {
  return "status" in value && "fact" in value;
}
