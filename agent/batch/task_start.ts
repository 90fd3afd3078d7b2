import { isAbsolute, join, relative, resolve } from "node:path";
import { isInside } from "../../sandbox/rights/grants.ts";
import { obeyedReason } from "../../sandbox/sweep/names.ts";
import { childVariables, movedFolders, wantedRights } from "../children/inheritance.ts";
import type { PreparedChild } from "../children/child_run.ts";
import { childCommand, childEnvironment, ownProgram } from "../children/program.ts";
import { runtimeRights } from "../children/runtime_rights.ts";
import type { OptionValues } from "../command_line/options.ts";
import { ConfigurationError } from "../json_file.ts";
import { selectTools } from "../toolbox.ts";
import { type House, OF_BATCH } from "./house.ts";
import type { BatchTask } from "./task.ts";

/**
 * The folder that a task is about, absolute: the batch's own workspace, or one that lies in it or in a
 * folder that the batch may read and write.
 * @throws {ConfigurationError} where it lies elsewhere, is no folder, or is obeyed by other programs.
 */
export function folderOf({ launch: { places, grants } }: House, task: BatchTask): string {
  const { workspace } = places;
  if (task.cwd === undefined) return workspace;
  const folder = realFolder(resolve(workspace, task.cwd), task);
  const isGranted = grants.allows("read", folder) && grants.allows("write", folder);
  if (!isInside(folder, workspace) && !isGranted) {
    const advice = "start the batch above it by -C, or grant it by --allow-read and --allow-write";
    throw cannotRun(task, `it lies outside of "${workspace}", ${advice}`);
  }
  // As a workspace it would be open to writing, which it is not as a part of one.
  const obeyed = isInside(folder, workspace) &&
    obeyedReason(join(relative(workspace, folder), "x"));
  if (obeyed) throw cannotRun(task, `${obeyed}, so nobody works there`);
  return folder;
}

function cannotRun({ id, line, cwd }: BatchTask, why: string): ConfigurationError {
  return new ConfigurationError(`Cannot run task "${id}" (line ${line}) in "${cwd}": ${why}`);
}

function realFolder(path: string, task: BatchTask): string {
  try {
    const real = Deno.realPathSync(path);
    if (Deno.statSync(real).isDirectory) return real;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  throw cannotRun(task, "there is no such folder");
}

/**
 * The tools of a task as `--tools`: those of the batch, or those of them that it names; undefined
 * where the batch's own choice holds.
 * @throws {ConfigurationError} for one that the batch does not have.
 */
export function toolsOf({ launch }: House, task: BatchTask): readonly string[] | undefined {
  if (task.tools === undefined) return undefined;
  const ours = [...launch.selected];
  const selection = selectTools(task.tools, ours, ours);
  if (selection.ok && selection.names.size > 0) return [...selection.names];
  const why = selection.ok
    ? "it leaves none"
    : `"${selection.unknown}" is none of the batch's, add it by --tools=+${selection.unknown}`;
  throw new ConfigurationError(
    `Cannot use the tools of task "${task.id}" (line ${task.line}): ${why}`,
  );
}

/** What is left of the batch's budget when a run begins, in US dollars. */
export interface RunLimits {
  readonly leftUsd?: number | undefined;
}

/** The options of a run: the batch's, narrowed by its task. `apart` is its worktree. */
export function taskOptions(
  house: House,
  task: BatchTask,
  apart: string | undefined,
  { leftUsd }: RunLimits = {},
): OptionValues {
  const { options, launch: { places } } = house;
  const entries = Object.entries(options).filter(([name]) => !OF_BATCH.some((own) => own === name));
  const folder = folderOf(house, task);
  const tools = toolsOf(house, task);
  return {
    ...Object.fromEntries(entries),
    ...(apart !== undefined && movedFolders(options, { ...places, workspace: folder }, apart)),
    cd: apart ?? folder,
    ...(places.state !== undefined && { state: places.state }),
    ...(task.model !== undefined && { model: modelOf(task.model, places.workspace) }),
    ...(tools && { tools }),
    ...(task.maxTurns !== undefined &&
      { "max-turns": atMost(task.maxTurns, options["max-turns"]) }),
    ...(leftUsd !== undefined && { "max-budget-usd": leftUsd }),
  };
}

/** A task's own limit; what the batch is limited to, it cannot widen. */
export function atMost(own: number, batch: number | undefined): number {
  return batch === undefined ? own : Math.min(own, batch);
}

const SCRIPTED = "scripted:";

/** A script that a task names lies where its other names are taken from. */
function modelOf(model: string, workspace: string): string {
  if (!model.startsWith(SCRIPTED)) return model;
  const file = model.slice(SCRIPTED.length);
  return `${SCRIPTED}${isAbsolute(file) ? file : join(workspace, file)}`;
}

/** Everything by which the run of a task is started: the program again, with the batch's rights. */
export function prepareTask(
  house: House,
  task: BatchTask,
  apart: string | undefined,
  limits: RunLimits,
): PreparedChild {
  const { launch, variables, environment } = house;
  const { cwd } = launch.places;
  const named = task.model === undefined ? {} : { model: task.model };
  const all = {
    ...environment,
    ...childVariables(variables, named, launch.configuration.config),
  };
  const program = ownProgram();
  const runtime = runtimeRights(wantedRights(house, all, apart));
  const schema = task.schema ?? house.schema;
  return {
    start: {
      argv: childCommand(program, runtime),
      environment: childEnvironment(program, runtime, all),
      cwd,
    },
    task: {
      prompt: task.prompt,
      ...(schema !== undefined && { schema }),
      options: taskOptions(house, task, apart, limits),
      cwd,
    },
  };
}
