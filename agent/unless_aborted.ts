/**
 * What is waited for, or undefined as soon as the signal is raised, for what cannot be stopped
 * itself: a file that is a pipe may never bring anything.
 */
export async function unlessAborted<T>(
  awaited: Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const raised = Promise.withResolvers<undefined>();
  const listener = () => raised.resolve(undefined);
  signal.addEventListener("abort", listener);
  if (signal.aborted) listener();
  try {
    return await Promise.race([awaited, raised.promise]);
  } finally {
    signal.removeEventListener("abort", listener);
  }
}
