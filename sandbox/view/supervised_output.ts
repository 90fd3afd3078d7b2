import { type Mark, MarkReader } from "./marks.ts";
import type { Output } from "../commands/output.ts";
import { Pipe } from "../commands/pipe.ts";
import type { PipedProcess } from "../commands/piped_process.ts";
import { DRAIN_MS } from "../commands/running.ts";

/** What the supervisor said, and the reading of both streams. */
export interface Told {
  started: boolean;
  /** Resolves when it said that the command runs next. */
  readonly begun: Promise<void>;
  refused?: string;
  ended?: Extract<Mark, { kind: "ended" }>;
  /** Waits until both streams are read to their ends, but not for ever. */
  finish(): Promise<void>;
}

/** Reads both streams of a supervisor: its marks become facts, all else is output. */
export function readSupervised(process: PipedProcess, output: Output, key: string): Told {
  const begun = Promise.withResolvers<void>();
  const told: Told = {
    started: false,
    begun: begun.promise,
    async finish() {
      await Promise.all(pipes.map((pipe) => pipe.finish(DRAIN_MS)));
      marks.end();
    },
  };
  const marks = new MarkReader(key, (bytes) => output.write("stderr", bytes), (mark) => {
    switch (mark.kind) {
      case "started":
        told.started = true;
        begun.resolve();
        break;
      case "refused":
        told.refused = mark.why;
        break;
      case "ended":
        told.ended = mark;
        break;
    }
  });
  const pipes = [
    new Pipe(process.stdout, (bytes) => output.write("stdout", bytes)),
    new Pipe(process.stderr, (bytes) => marks.write(bytes)),
  ];
  return told;
}
