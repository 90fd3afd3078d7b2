import { untilAborted } from "../../sandbox/egress/abort.ts";
import { isMissing } from "../../sandbox/files/system_errors.ts";
import { reasonOf } from "../session/error.ts";
import { BatchError } from "./error.ts";
import { draftOf, type OutFolder } from "./out_folder.ts";
import type { TasksFile } from "./tasks_file.ts";

/** Opens what tasks come by; a named pipe opens only when somebody writes to it. */
export type OpenTasks = () => Promise<ReadableStream<Uint8Array>>;

/**
 * Keeps tasks that come as a stream in the folder of their batch, where they can be read more than
 * once; undefined where the signal is raised before they have all come, and what was there stays.
 * @throws {BatchError} where they cannot be read or kept.
 */
export async function spoolTasks(
  open: OpenTasks,
  { tasks: path }: OutFolder,
  signal: AbortSignal,
): Promise<TasksFile | undefined> {
  const draft = draftOf(path);
  try {
    const stream = await untilAborted(open(), signal);
    const options = { write: true, create: true, truncate: true, mode: 0o600 };
    const file = await Deno.open(draft, options);
    await stream.pipeTo(file.writable, { signal });
    await Deno.rename(draft, path);
    return { path, name: path };
  } catch (cause) {
    await removeIfThere(draft);
    if (signal.aborted) return undefined;
    throw new BatchError(`Cannot keep the tasks in "${path}": ${reasonOf(cause)}`, { cause });
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
