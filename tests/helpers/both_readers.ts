import { readerFor } from "../../agent/reader/reader_for.ts";
import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import type { Pictures, Reader } from "../../tools/tool.ts";
import { canConfine, confinedHouse } from "./confined.ts";

/** An implementation of `reader`, for tests that hold for each. */
export interface ReaderKind {
  readonly name: "view" | "process without rights";
  /** True where this machine cannot have it. */
  readonly ignore: boolean;
  open(): Promise<ReaderHouse>;
}

/** A reader at home. */
export interface ReaderHouse extends AsyncDisposable {
  readonly reader: Reader & Pictures;
}

const ENVIRONMENT = commandEnvironment({ PATH: "/usr/local/bin:/usr/bin:/bin" });

export const BOTH_READERS: readonly ReaderKind[] = [
  {
    name: "view",
    ignore: !await canConfine(),
    async open() {
      const house = await confinedHouse();
      const opened = await house.open();
      if (!opened.ok) throw new Error(`${opened.reason}: ${opened.fix}`);
      return {
        reader: readerFor(ENVIRONMENT, opened),
        [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: "process without rights",
    ignore: false,
    open: () =>
      Promise.resolve({
        reader: readerFor(ENVIRONMENT, undefined),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }),
  },
];
