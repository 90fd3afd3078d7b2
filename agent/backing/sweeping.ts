import type { Commands, RunningCommand } from "../../sandbox/commands/commands.ts";
import type { OpenProcess } from "../../sandbox/commands/open_process.ts";
import type { Quarantine } from "../../sandbox/sweep/quarantine.ts";
import { sweepAround, type Sweeper, type SweptRun } from "../../sandbox/sweep/sweeper.ts";
import type { Redaction } from "../redaction.ts";

/** Looks at what commands leave behind: files that are obeyed unasked, and secrets. */
export interface Sweeping {
  /** The same commands, each swept when it has ended; what was found is in its result. */
  commands<C extends Commands>(given: C): C;
  /** Runs a call of the model, which may have opened programs do something. */
  call<T>(run: () => Promise<T>): Promise<SweptRun<T>>;
  /** Resolves once the secrets of the workspace are known to the redaction. */
  ready(): Promise<void>;
  /** Resolves when nothing is being swept. */
  settled(): Promise<void>;
}

export interface SweepingParts {
  /** Absent where nothing may be looked at: then nothing is swept. */
  readonly sweeper?: Sweeper;
  /** Whether commands can write at all; without that nothing is swept. */
  readonly writes: boolean;
  /** Absent where nothing may be kept. */
  readonly quarantine?: Quarantine;
  /** Absolute, links resolved. */
  readonly workspace: string;
  readonly redaction: Redaction;
  /** Tells a person what they must not miss. */
  readonly alarm: (line: string) => void;
}

/** Sweeps of one session. */
export function createSweeping(parts: SweepingParts): Sweeping {
  const { sweeper, writes, redaction } = parts;
  const pending = new Set<Promise<unknown>>();
  const opened = new Set<OpenProcess>();
  /** The call that goes on, and the sweeps for what it has opened. */
  let current: { readonly ended: Promise<void>; readonly sweeps: Promise<SweptRun<void>>[] };
  current = { ended: Promise.resolve(), sweeps: [] };
  let known: Promise<void> | undefined;

  async function learn(): Promise<void> {
    if (sweeper) redaction.learn(await sweeper.secrets());
  }

  async function ready(): Promise<void> {
    known ??= learn();
    try {
      await known;
    } catch (error) {
      // Asked again by the next call: what kept a cell from starting may pass.
      known = undefined;
      throw error;
    }
  }

  async function sweep<T>(run: () => Promise<T>): Promise<SweptRun<T>> {
    await ready();
    if (!writes || !sweeper) return { result: await run(), lines: [] };
    const swept = await sweepAround({ ...parts, sweeper, tell: parts.alarm }, run);
    await learn();
    return swept;
  }

  async function around<T>(run: () => Promise<T>): Promise<SweptRun<T>> {
    const swept = sweep(run);
    pending.add(swept);
    return await swept.finally(() => pending.delete(swept));
  }

  return {
    ready,
    commands: (given) => ({
      ...given,
      get cwd() {
        return given.cwd;
      },
      async run(argv, options) {
        const { result, lines } = await around(() => given.run(argv, options));
        return lines.length === 0 ? result : { ...result, notes: lines };
      },
      async start(argv, options) {
        const { begun, ended } = partly(around, () => given.start(argv, options), endOf);
        const withNotes = ended.then(({ result, lines }) =>
          lines.length === 0 ? result : { ...result, notes: lines }
        );
        withNotes.catch(() => {});
        return { ...await begun, ended: withNotes };
      },
      async open(argv, options) {
        const { ended: call, sweeps } = current;
        sweeps.push(around(() => call));
        const { begun, ended } = partly(around, () => given.open(argv, options), statusOf);
        ended.catch(() => {});
        const process = await begun;
        opened.add(process);
        process.status.finally(() => opened.delete(process));
        return process;
      },
    }),
    // What opened programs do shows at the end of a call, since they themselves go on.
    async call(run) {
      if (opened.size > 0) return await around(run);
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const sweeps: Promise<SweptRun<void>>[] = [];
      const outer = current;
      current = { ended, sweeps };
      const result = await run().finally(() => {
        current = outer;
        resolve();
      });
      const swept = await Promise.all(sweeps);
      return { result, lines: swept.flatMap(({ lines }) => lines) };
    },
    async settled() {
      while (pending.size > 0) await Promise.allSettled(pending);
    },
  };
}

const endOf = ({ ended }: RunningCommand) => ended;
const statusOf = ({ status }: OpenProcess) => status;

/** What is swept when it has ended, and is of use as soon as it has begun. */
function partly<S, E>(
  around: (run: () => Promise<E>) => Promise<SweptRun<E>>,
  start: () => Promise<S>,
  endOf: (started: S) => Promise<E>,
): { readonly begun: Promise<S>; readonly ended: Promise<SweptRun<E>> } {
  const { promise: begun, resolve, reject } = Promise.withResolvers<S>();
  const ended = around(async () => {
    const started = await start();
    resolve(started);
    return await endOf(started);
  });
  // Where it could not be started, that is told to who started it.
  ended.catch(reject);
  return { begun, ended };
}
