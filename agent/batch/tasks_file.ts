import { LongLineError, MAX_LINE_CHARS, textLines } from "../children/lines.ts";
import { ConfigurationError } from "../json_file.ts";
import { reasonOf } from "../session/error.ts";
import { type BatchTask, readTask, type UnknownKey } from "./task.ts";

/** A file of tasks, one JSON object a line. It is read as it is worked off, and never as a whole. */
export interface TasksFile {
  /** Absolute. */
  readonly path: string;
  /** As a person named it. */
  readonly name: string;
}

/** What a whole file of tasks was found to be. */
export interface TasksSurvey {
  readonly count: number;
  /** One sentence for each key that nobody knows, where it stands first. */
  readonly warnings: readonly string[];
  /** The digest of each task by its id. */
  readonly digests: ReadonlyMap<string, string>;
}

/**
 * The tasks of a file in their order; lines without anything are passed over.
 * @throws {ConfigurationError} at the first task that is none, or where the file cannot be read.
 */
export async function* tasksIn(
  { path, name: file }: TasksFile,
  onUnknown: (key: UnknownKey) => void = () => {},
): AsyncGenerator<BatchTask> {
  let line = 0;
  let index = 0;
  for await (const { text } of linesOf(path, file)) {
    line++;
    // Editors on Windows begin a file with a byte order mark; a decoder takes it away.
    if (text.trim() === "") continue;
    const { task, unknown } = readTask(text, { file, line, index });
    index++;
    unknown.forEach(onUnknown);
    yield task;
  }
}

async function* linesOf(path: string, name: string) {
  let whole = 0;
  try {
    const file = await Deno.open(path);
    for await (const line of textLines(file.readable, MAX_LINE_CHARS)) {
      whole++;
      yield line;
    }
  } catch (cause) {
    throw new ConfigurationError(`Cannot read "${name}": ${whyNot(cause, whole + 1)}`, { cause });
  }
}

function whyNot(cause: unknown, line: number): string {
  if (cause instanceof Deno.errors.NotFound) return "there is no such file";
  if (!(cause instanceof LongLineError)) return reasonOf(cause);
  return `line ${line} has over ${cause.maxChars} characters, keep long texts in files of their own`;
}

/**
 * Reads a file of tasks to its end before anything is done, so that a mistake in its last line costs
 * nothing. `check` refuses what is no mistake of the line alone.
 * @throws {ConfigurationError} for the first mistake, an id that two tasks have, or no task at all.
 */
export async function surveyTasks(
  file: TasksFile,
  check: (task: BatchTask) => void | Promise<void>,
): Promise<TasksSurvey> {
  const digests = new Map<string, string>();
  const lines = new Map<string, number>();
  const warnings = new Map<string, string>();
  const onUnknown = ({ key, warning }: UnknownKey) => {
    if (!warnings.has(key)) warnings.set(key, warning);
  };
  for await (const task of tasksIn(file, onUnknown)) {
    const other = lines.get(task.id);
    if (other !== undefined) {
      throw new ConfigurationError(
        `Cannot use "${file.name}": the tasks of lines ${other} and ${task.line} have the same id ` +
          `"${task.id}"`,
      );
    }
    await check(task);
    lines.set(task.id, task.line);
    digests.set(task.id, task.digest);
  }
  if (digests.size === 0) {
    throw new ConfigurationError(`Cannot use "${file.name}": there is no task in it`);
  }
  return { count: digests.size, warnings: [...warnings.values()], digests };
}
