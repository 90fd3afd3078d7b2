/** Lets work on one key run one after the other, and on different keys at once. */
export interface Turns {
  /** Runs `work` when all earlier work on the key has ended, however it ended. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Keys that have work running or waiting; an idle key is forgotten. */
  readonly busy: number;
}

/** Turns, none of them taken. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    async take(key, work) {
      const before = last.get(key);
      const turn = Promise.withResolvers<void>();
      last.set(key, turn.promise);
      try {
        await before;
        return await work();
      } finally {
        turn.resolve();
        if (last.get(key) === turn.promise) last.delete(key);
      }
    },
    get busy() {
      return last.size;
    },
  };
}
