import { dirname } from "node:path";
import { isOfSystem } from "../sandbox/files/system_errors.ts";

/** Something in the state folder is not as we left it; the message is one sentence for people. */
export class StateError extends Error {
  override readonly name = "StateError";
}

/**
 * Does something with a folder of the state, whether it is there yet or not. What the system refuses
 * is told by the path that is in the way; every other error passes.
 * @throws {StateError} where the system refuses.
 */
export async function usingState<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw asStateError(folder, error);
  }
}

/** The same for what does not wait. */
export function usingStateNow<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asStateError(folder, error);
  }
}

function asStateError(folder: string, error: unknown): unknown {
  if (!isOfSystem(error)) return error;
  const obstacle = obstacleTo(folder);
  const message = obstacle === undefined
    ? `Cannot use "${folder}": ${error.message}: mend it, or name another folder by --state`
    : `Cannot use "${obstacle.path}": ${obstacle.what}: move it away, or name another folder by --state`;
  return new StateError(message, { cause: error });
}

/** What on the way to a folder is none, the folder itself included. */
function obstacleTo(folder: string): { path: string; what: string } | undefined {
  const above = dirname(folder);
  const earlier = above === folder ? undefined : obstacleTo(above);
  if (earlier) return earlier;
  // What cannot be looked at is no obstacle that we could name.
  const found = orUndefined(() => Deno.lstatSync(folder));
  if (found === undefined || found.isDirectory) return undefined;
  if (!found.isSymlink) return { path: folder, what: "it is no folder, and one belongs there" };
  const leadsToFolder = orUndefined(() => Deno.statSync(folder))?.isDirectory;
  return leadsToFolder ? undefined : { path: folder, what: "it is a link that leads to no folder" };
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isOfSystem(error)) return undefined;
    throw error;
  }
}
