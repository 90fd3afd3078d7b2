import type { Duplex } from "./relay.ts";

/** A connection that counts what passes. */
export interface Counter {
  readonly bytesUp: number;
  readonly bytesDown: number;
  of(connection: Duplex): Duplex;
}

/** Counts from nothing. */
export function counter(): Counter {
  let [bytesUp, bytesDown] = [0, 0];
  return {
    get bytesUp() {
      return bytesUp;
    },
    get bytesDown() {
      return bytesDown;
    },
    of: (connection) => ({
      async read(into) {
        const count = await connection.read(into);
        bytesDown += count ?? 0;
        return count;
      },
      async write(bytes) {
        const count = await connection.write(bytes);
        bytesUp += count;
        return count;
      },
      closeWrite: () => connection.closeWrite(),
      close: () => connection.close(),
      [Symbol.dispose]: () => connection.close(),
    }),
  };
}
