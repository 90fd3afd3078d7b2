import type { ReadFiles } from "../sandbox/files/files.ts";
import type { Content } from "../tools/tool.ts";
import type { CompactionOutcome, WindowFill } from "./compaction/keeper.ts";
import type { Enclosure } from "./enclosure.ts";
import type { SessionEvent, UsageTotals } from "./events.ts";
import type { Launch } from "./launch.ts";
import type { RunLimits, TaskEnd } from "./loop/loop.ts";
import type { ForeignTools } from "./mcp/foreign_tools.ts";
import type { Session } from "./session/log.ts";
import type { TaskSnapshots } from "./snapshots/task_snapshots.ts";
import type { Said } from "./loop/steering.ts";

/** An agent at work in one session. */
export interface Agent {
  readonly session: Session;
  /** The first event of a run. */
  readonly started: SessionEvent;
  /** What each task may take. */
  readonly limits: RunLimits;
  /** What it was started with, and what confines it. */
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  /** What servers of others offer; absent where none is configured. */
  readonly foreign?: ForeignTools;
  /** The files as its tools see them. */
  readonly files: ReadFiles;
  /** Takes what a person says, and works until it is answered or stopped. */
  task(content: readonly Content[], signal: AbortSignal, options?: TaskOptions): Promise<TaskEnd>;
  /**
   * Runs a shell command that a person typed, in the model's shell, and tells the model of it with
   * the next prompt; resolves to its output. Not to be called while a task runs.
   * @throws {Error} where no command can be run here.
   */
  runCommand(
    command: string,
    signal: AbortSignal,
    progress: (part: string) => void,
  ): Promise<string>;
  /**
   * Tells the model what a person says while a task runs: after the results of the calls that run
   * now, before the next answer. True: it will be told, which the event `user` says, or it comes
   * back with the end of the task as `undelivered`. False: no task runs that could take it.
   */
  steer(said: Said): boolean;
  /** Sums the older part of the conversation up. Not to be called while a task runs. */
  compact(instructions: string | undefined, signal: AbortSignal): Promise<CompactionOutcome>;
  /** How full the model's window is; worked out with each call. */
  windowFill(): WindowFill;
  /** Undo and redo of what tasks did to the files; the conversation stays as it is. */
  readonly moves: Pick<TaskSnapshots, "prepareMove" | "makeMove">;
  /** Tokens and cost of the whole session. */
  usage(): UsageTotals;
  /** Ends what still runs, and the session with its reason. */
  close(reason: string): Promise<void>;
  /** Has what still runs ended without waiting for it: for a process that ends at once. */
  abandon(): Promise<void>;
}

/** What holds for one task alone. */
export interface TaskOptions {
  /** Go before those of the run. */
  readonly limits?: RunLimits;
  /** Names of the only tools that are offered, of those that are; absent: all of them. */
  readonly tools?: ReadonlySet<string>;
}
