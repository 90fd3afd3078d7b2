import * as z from "zod";
import { digestOf } from "../../sandbox/snapshots/digest.ts";
import { nearestNames } from "../../tools/nearest_name.ts";
import { ConfigurationError, jsonMistake, positionOf } from "../json_file.ts";

/** Longer ids are refused, in UTF-16 units: they stand in lines that people read. */
const MAX_ID_CHARS = 200;

/** The longest time that a timer can wait for, in seconds; some 24 days. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** One line of a file of tasks. Keys are only ever added. */
const taskSchema = z.object({
  id: z.union([
    z.string().min(1).max(MAX_ID_CHARS).regex(/^\P{C}*$/u, "it holds characters that nobody sees"),
    z.int(),
  ])
    .transform(String).exactOptional(),
  prompt: z.string().regex(/\S/, "it says nothing"),
  cwd: z.string().min(1).exactOptional(),
  model: z.string().min(1).exactOptional(),
  tools: z.array(z.string().min(1)).exactOptional(),
  schema: z.union([z.record(z.string(), z.unknown()), z.boolean()]).exactOptional(),
  max_turns: z.int().min(1).exactOptional(),
  timeout: z.number().min(0.001).max(MAX_TIMEOUT_SECONDS).exactOptional(),
});

/** The keys of a task, for help. */
export const TASK_KEYS: readonly string[] = Object.keys(taskSchema.shape);

/** A task of a batch. */
export interface BatchTask {
  /** As it was given, else its index. */
  readonly id: string;
  /** From 0, over all tasks of the file. */
  readonly index: number;
  /** Of its line, so that a changed task is known: twelve hexadecimal digits. */
  readonly digest: string;
  /** From 1. */
  readonly line: number;
  readonly prompt: string;
  /** The folder that it is about, from the workspace of the batch. */
  readonly cwd?: string;
  readonly model?: string;
  /** As `--tools`, of those that the batch has. */
  readonly tools?: readonly string[];
  /** JSON Schema that its answer must fit, as JSON. */
  readonly schema?: string;
  readonly maxTurns?: number;
  readonly timeoutMs?: number;
}

/** A key of a task that nobody knows. */
export interface UnknownKey {
  readonly key: string;
  /** For people. */
  readonly warning: string;
}

/** Where a task stands. */
export interface TaskPlace {
  /** Of the file, as a person named it. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 0, over all tasks of the file. */
  readonly index: number;
}

/**
 * Reads one line of a file of tasks.
 * @throws {ConfigurationError} naming file, line and column of the first mistake.
 */
export function readTask(
  text: string,
  place: TaskPlace,
): { readonly task: BatchTask; readonly unknown: readonly UnknownKey[] } {
  const value = parseLine(text, place);
  const parsed = taskSchema.safeParse(value);
  if (!parsed.success) throw mistake(text, place, parsed.error);
  const { id, schema, max_turns, timeout, ...same } = parsed.data;
  const task: BatchTask = {
    ...same,
    id: id ?? String(place.index),
    index: place.index,
    line: place.line,
    digest: digestOf(new TextEncoder().encode(text.trim())).slice(0, 12),
    ...(schema !== undefined && { schema: JSON.stringify(schema) }),
    ...(max_turns !== undefined && { maxTurns: max_turns }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
  };
  // zod has just seen that it is an object.
  return { task, unknown: unknownKeys(text, place, Object.keys(value as object)) };
}

function parseLine(text: string, { file, line }: TaskPlace): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { what, column } = jsonMistake(text);
    throw new ConfigurationError(
      `Cannot read "${file}": ${what} at line ${line}, column ${column}; each line is a JSON object`,
    );
  }
}

function mistake(text: string, { file, line }: TaskPlace, error: z.ZodError): ConfigurationError {
  const [issue] = error.issues;
  const path = issue?.path ?? [];
  const column = positionOf(text, path)?.column ?? 1;
  const key = path.length === 0 ? "the task" : path.join(".");
  const why = issue?.code === "invalid_union" ? "it is of no kind that fits" : issue?.message;
  return new ConfigurationError(
    `Cannot use "${file}": ${key} is wrong (line ${line}, column ${column}): ${why}`,
  );
}

function unknownKeys(text: string, { file, line }: TaskPlace, keys: readonly string[]) {
  return keys.filter((key) => !TASK_KEYS.includes(key)).map((key): UnknownKey => {
    const column = positionOf(text, [key])?.column ?? 1;
    const guess = nearestNames(key, TASK_KEYS)[0];
    const hint = guess ? `, did you mean "${guess}"` : "";
    const where = `(line ${line}, column ${column})`;
    return { key, warning: `Unknown key "${key}" in "${file}" ${where} is passed over${hint}` };
  });
}
