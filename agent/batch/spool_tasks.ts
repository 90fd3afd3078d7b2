import { untilAborted } from "../../sandbox/egress/abort.ts";
import { isMissing } from "../../sandbox/files/system_errors.ts";
import { reasonOf } from "../session/error.ts";
import { BatchError } from "./error.ts";
import { draftOf, type OutFolder } from "./out_folder.ts";
import type { TasksFile } from "./tasks_file.ts";

/** Opens what tasks come by; a named pipe opens only when somebody writes to it. */
export type OpenTasks = () => Promise<ReadableStream<Uint8Array>>;

/** Tasks that were kept, and what `look` found in them. */
export interface SpooledTasks<T> {
  readonly file: TasksFile;
  readonly found: T;
}

/**
 * Keeps tasks that come as a stream in the folder of their batch, where they can be read more than
 * once, after `look` has read them to their end; undefined where the signal is raised before they have
 * all come. What was there stays unless all of them can be used.
 * @throws {BatchError} where they cannot be read or kept.
 * @throws what `look` does.
 */
export async function spoolTasks<T>(
  open: OpenTasks,
  { tasks: path }: OutFolder,
  look: (file: TasksFile) => Promise<T>,
  signal: AbortSignal,
): Promise<SpooledTasks<T> | undefined> {
  const draft = draftOf(path);
  await using unfinished = new AsyncDisposableStack();
  unfinished.defer(() => removeIfThere(draft));
  try {
    const stream = await untilAborted(open(), signal);
    const options = { write: true, create: true, truncate: true, mode: 0o600 };
    const file = await Deno.open(draft, options);
    await stream.pipeTo(file.writable, { signal });
  } catch (cause) {
    if (signal.aborted) return undefined;
    throw notKept(path, cause);
  }
  const found = await look({ path: draft, name: path });
  try {
    await Deno.rename(draft, path);
  } catch (cause) {
    throw notKept(path, cause);
  }
  return { file: { path, name: path }, found };
}

function notKept(path: string, cause: unknown): BatchError {
  return new BatchError(`Cannot keep the tasks in "${path}": ${reasonOf(cause)}`, { cause });
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
