import { resolve } from "node:path";
import type { Environment } from "../../sandbox/commands/environment.ts";
import { loadAnswerSchema } from "../answer_schema.ts";
import { recordVariables, type VariableRecord } from "../children/inheritance.ts";
import type { OptionName, OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import { type Launch, prepareLaunch } from "../launch.ts";
import { checkLog } from "../start/open_recorders.ts";

/** How a task's own folder comes to be. */
export type Isolation = "worktree" | "copy" | "none";

/** What a batch hands on to its runs: the most that any of them can have. */
export interface House {
  readonly launch: Launch;
  /** By which the batch was started. */
  readonly options: OptionValues;
  readonly variables: VariableRecord;
  /** Of this process, as far as it may be read: what a run that a person starts would have. */
  readonly environment: Environment;
  /** Undefined: a worktree for tasks that name no folder, and the folder itself for those that do. */
  readonly isolation: Isolation | undefined;
  /** How long a run may take, in milliseconds; undefined: as long as it takes. */
  readonly timeoutMs: number | undefined;
  /** JSON Schema for tasks that have none of their own, as JSON. */
  readonly schema: string | undefined;
}

/** Options that say how a batch goes on, and nothing about a run of it. */
export const OF_BATCH = [
  ...["jobs", "out", "isolation", "task", "collect", "retries", "retry-failed"],
  ...["output-format", "output-schema", "color", "timeout", "max-budget-usd", "print", "cd"],
] as const satisfies readonly OptionName[];

/** Options of a single run that have no meaning for many. */
export const OF_ONE_RUN = [
  ...["continue", "resume", "fork", "at", "image", "output", "deltas"],
] as const satisfies readonly OptionName[];

/**
 * Settles what all runs of a batch share, and gives up the rights that none of them needs.
 * @throws what {@linkcode prepareLaunch}, {@linkcode checkLog} and {@linkcode loadAnswerSchema} do.
 */
export async function openHouse(
  options: OptionValues,
  env: ReadVariable,
  cwd: string,
): Promise<House> {
  const file = options["output-schema"];
  const schema = file === undefined ? undefined : await loadAnswerSchema(resolve(cwd, file));
  const environment = variablesOfProcess();
  const variables = recordVariables(env);
  const launch = await prepareLaunch(options, variables.read, cwd);
  await checkLog({ options, launch });
  return {
    ...{ launch, options, variables, environment },
    isolation: options.isolation,
    timeoutMs: launch.settings.limits.timeoutMs,
    schema: schema?.json,
  };
}

/** All variables; none where only some may be read, which then are read by their names. */
function variablesOfProcess(): Environment {
  try {
    return Deno.env.toObject();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return {};
    throw error;
  }
}
