/** Resolves with the promise, or once the signal is raised; what is awaited ends by itself then. */
export async function unlessRaised(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const raised = Promise.withResolvers<void>();
  const listener = () => raised.resolve();
  signal.addEventListener("abort", listener);
  try {
    await Promise.race([promise, raised.promise]);
  } finally {
    signal.removeEventListener("abort", listener);
  }
}
