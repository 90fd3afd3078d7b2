import { parseAnswerSchema } from "../answer_schema.ts";
import { UsageError } from "../command_line/parse.ts";
import { checkModel } from "../start/check_model.ts";
import type { House } from "./house.ts";
import { isolationOf, whyNoCopy } from "./isolation.ts";
import type { BatchTask } from "./task.ts";
import { folderOf, toolsOf } from "./task_start.ts";
import { surveyTasks, type TasksFile, type TasksSurvey } from "./tasks_file.ts";

/**
 * Looks at every task before the first one is done: its form, and of those that are to be done here
 * (`only`: the one of that index) also its folder, its tools, its schema, and whether there is a model
 * for it.
 * @throws {ConfigurationError} for the first mistake.
 * @throws {UsageError} where tasks cannot be kept apart as the options ask for, or there is no task
 * of that index.
 */
export async function surveyBatch(
  file: TasksFile,
  house: House,
  only?: number,
): Promise<TasksSurvey> {
  let modelIsChecked = false;
  // Most tasks that have a schema have the same one.
  let checked: string | undefined;
  const survey = await surveyTasks(file, async (task) => {
    if (only !== undefined && task.index !== only) return;
    checkFolder(house, task);
    toolsOf(house, task);
    if (task.model === undefined && !modelIsChecked) checkModel(house.launch);
    modelIsChecked ||= task.model === undefined;
    if (task.schema === undefined || task.schema === checked) return;
    await parseAnswerSchema(`the schema of task "${task.id}" (line ${task.line})`, task.schema);
    checked = task.schema;
  });
  if (only !== undefined && only >= survey.count) throw noSuchTask(only, file, survey);
  return survey;
}

/** Tasks are counted from 0. */
export function noSuchTask(index: number, { name }: TasksFile, { count }: TasksSurvey): UsageError {
  return new UsageError(
    `Cannot run task ${index}: "${name}" has ${count}, which are counted from 0`,
  );
}

/** Where every task would fail for the same reason, none is begun. */
function checkFolder(house: House, task: BatchTask): void {
  const folder = folderOf(house, task);
  const why = isolationOf(house, task) === "none" ? undefined : whyNoCopy(house, folder);
  if (why === undefined) return;
  throw new UsageError(
    `Cannot give tasks a copy of their folder each: ${why}; with --isolation none they share it`,
  );
}
