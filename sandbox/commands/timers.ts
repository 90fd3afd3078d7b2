/** A time that passes once, unless it is disposed before. */
export interface Timer extends Disposable {
  readonly passed: Promise<undefined>;
}

export function after(ms: number): Timer {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  return { passed: promise, [Symbol.dispose]: () => clearTimeout(timer) };
}

/** What ends a command that does not end by itself. */
export interface Limit extends Disposable {
  readonly reached: Promise<"timeout" | "abort">;
}

/** Whichever comes first: the time limit in milliseconds, or the raising of the signal. */
export function stopAt(timeoutMs: number, signal: AbortSignal | undefined): Limit {
  const { promise, resolve } = Promise.withResolvers<"timeout" | "abort">();
  const timer = setTimeout(() => resolve("timeout"), timeoutMs);
  const abort = () => resolve("abort");
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  return {
    reached: promise,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}
