/**
 * What is waited for, or undefined as soon as the signal is raised, for what cannot be stopped
 * itself, as a file that is a pipe and may never bring anything: it goes on, and nobody waits for it.
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
