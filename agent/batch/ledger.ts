import { isMissing } from "../../sandbox/files/system_errors.ts";
import { textLines } from "../children/lines.ts";
import { reasonOf } from "../session/error.ts";
import { BatchError } from "./error.ts";
import { LineFile } from "./line_file.ts";
import type { OutFolder } from "./out_folder.ts";
import { isDone, isFinal, type KnownResult, parseResult, type TaskResult } from "./result.ts";

/** A line of results can hold a whole answer; this is more than any of ours, in UTF-16 units. */
const MAX_RESULT_LINE = 16 * 1024 * 1024;

/** What a batch knows of a task that it is done with. */
export interface DoneTask {
  readonly exitCode: number;
  readonly reason: string;
  /** Digest of the task as it was then. */
  readonly digest: string | undefined;
}

/** How a ledger is opened. */
export interface LedgerOptions {
  /** Whether tasks that failed are done again, too. */
  readonly retryFailed: boolean;
  /** A sentence for people. */
  readonly note: (line: string) => void;
}

/**
 * What a batch has done so far, as its files tell. Of each task that has come to an end there is one
 * line of results; what else was begun is among the attempts, so that what it cost is not forgotten.
 * Of a line nothing stays in memory but how its task ended.
 */
export class Ledger implements Disposable {
  readonly #results: LineFile;
  readonly #attempts: LineFile;
  readonly #done: Map<string, DoneTask>;
  readonly #workspaces: Set<string>;
  #spentUsd: number;

  private constructor(files: Files, seen: SeenLines) {
    this.#results = files.results;
    this.#attempts = files.attempts;
    this.#done = seen.done;
    this.#workspaces = seen.workspaces;
    this.#spentUsd = seen.spentUsd;
  }

  /**
   * Reads what is there. Results that are not the last word about their tasks go to the attempts.
   * @throws {BatchError} where a file cannot be read or written.
   */
  static async open(out: OutFolder, { retryFailed, note }: LedgerOptions): Promise<Ledger> {
    const again = (result: KnownResult) => !isFinal(result) || (retryFailed && !isDone(result));
    const seen: SeenLines = { done: new Map(), workspaces: new Set(), spentUsd: 0 };
    const files = openFiles(out, note);
    try {
      for await (const { result } of linesOf(out.attempts, note)) seen.spentUsd += costOf(result);
      let superseded = 0;
      for await (const { result } of linesOf(out.results, note)) {
        seen.spentUsd += costOf(result);
        if (result.workspace !== undefined) seen.workspaces.add(result.workspace);
        if (again(result) || seen.done.has(result.id)) superseded++;
        else seen.done.set(result.id, doneTask(result));
      }
      if (superseded === 0) return new Ledger(files, seen);
      files.results[Symbol.dispose]();
      await moveToAttempts(out, files.attempts, again);
      return new Ledger({ ...files, results: LineFile.open(out.results).file }, seen);
    } catch (error) {
      files.attempts[Symbol.dispose]();
      throw error;
    }
  }

  /** The tasks that are done with, by their ids. */
  get done(): ReadonlyMap<string, DoneTask> {
    return this.#done;
  }

  /** Whether a task is done with for good: one that ended by "try later" just now is not. */
  isFinal(id: string): boolean {
    const done = this.#done.get(id);
    return done !== undefined && isFinal({ exit_code: done.exitCode, reason: done.reason });
  }

  /** Workspaces that results name: what was done there is wanted. */
  get workspaces(): ReadonlySet<string> {
    return this.#workspaces;
  }

  /** What all attempts that are written down cost, in US dollars, as far as that is known. */
  get spentUsd(): number {
    return this.#spentUsd;
  }

  /**
   * Writes down how a task ended.
   * @throws {BatchError}
   */
  finish(result: TaskResult): void {
    this.#results.append(JSON.stringify(result));
    this.#spentUsd += costOf(result);
    this.#done.set(result.id, doneTask({ ...result, task: result.task }));
  }

  /**
   * Writes down an attempt after which its task is still to be done.
   * @throws {BatchError}
   */
  attempt(result: TaskResult): void {
    this.#attempts.append(JSON.stringify(result));
    this.#spentUsd += costOf(result);
  }

  [Symbol.dispose](): void {
    this.#results[Symbol.dispose]();
    this.#attempts[Symbol.dispose]();
  }
}

interface Files {
  readonly results: LineFile;
  readonly attempts: LineFile;
}

interface SeenLines {
  readonly done: Map<string, DoneTask>;
  readonly workspaces: Set<string>;
  spentUsd: number;
}

function openFiles(out: OutFolder, note: (line: string) => void): Files {
  const open = (path: string) => {
    const { file, wasTorn } = LineFile.open(path);
    if (wasTorn) note(`warning: The last line of "${path}" was torn and is cut off`);
    return file;
  };
  return { results: open(out.results), attempts: open(out.attempts) };
}

function costOf({ usage }: Pick<KnownResult, "usage">): number {
  return usage.cost_usd ?? 0;
}

function doneTask({ exit_code, reason, task }: KnownResult): DoneTask {
  return { exitCode: exit_code, reason, digest: task };
}

/** The results in a file, one at a time; what is none is told, and passed over. */
export async function* linesOf(
  path: string,
  note: (line: string) => void,
): AsyncGenerator<{ readonly line: string; readonly result: KnownResult }> {
  let number = 0;
  try {
    const file = await Deno.open(path);
    for await (const { text } of textLines(file.readable, MAX_RESULT_LINE)) {
      number++;
      if (text === "") continue;
      const result = parseResult(text);
      if (result) yield { line: text, result };
      else note(`warning: Line ${number} of "${path}" is no result and is passed over`);
    }
  } catch (cause) {
    if (isMissing(cause)) return;
    throw new BatchError(`Cannot read "${path}": ${reasonOf(cause)}`, { cause });
  }
}

/**
 * Brings the file of results to one line a task. What is taken out is written down elsewhere first,
 * so that a crash in between counts its cost twice and never not at all.
 */
async function moveToAttempts(
  out: OutFolder,
  attempts: LineFile,
  again: (result: KnownResult) => boolean,
): Promise<void> {
  const ids = new Set<string>();
  await LineFile.rewrite(out.results, async (kept) => {
    for await (const { line, result } of linesOf(out.results, () => {})) {
      const isLast = !again(result) && !ids.has(result.id);
      if (isLast) ids.add(result.id);
      (isLast ? kept : attempts).add(line);
    }
    attempts.sync();
  });
}
