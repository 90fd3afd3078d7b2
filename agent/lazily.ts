/** What `make` makes, made when it is first asked for and kept from then on. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}
