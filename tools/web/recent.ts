/** Documents that are kept for their next part. */
const MAX_KEPT = 4;

/** Older ones are fetched again, in milliseconds: pages change. */
const MAX_AGE_MS = 15 * 60_000;

/** Keeps the last few values for a while, by name. */
export class Recent<T> {
  readonly #kept = new Map<string, { readonly value: T; readonly since: number }>();

  /** The value of a name that is not too old. */
  get(name: string): T | undefined {
    const found = this.#kept.get(name);
    return found && performance.now() - found.since < MAX_AGE_MS ? found.value : undefined;
  }

  /** Keeps a value in the place of the oldest. */
  set(name: string, value: T): void {
    this.#kept.delete(name);
    this.#kept.set(name, { value, since: performance.now() });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) return;
      this.#kept.delete(oldest);
    }
  }
}
