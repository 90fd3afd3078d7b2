/**
 * The promise's value, or the signal's reason thrown once it is raised; what cannot be taken back
 * is left to end by itself.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  using _listening = onAbort(signal, () => aborted.reject(signal.reason));
  return await Promise.race([promise, aborted.promise]);
}

/** Acts when the signal is raised, at once where it is; until disposed. */
export function onAbort(signal: AbortSignal, act: () => void): Disposable {
  if (signal.aborted) act();
  signal.addEventListener("abort", act, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", act) };
}
