import { reasonOf } from "../../session/error.ts";
import type { Observation } from "../observation.ts";
import type { Recorder } from "../recorders.ts";
import { logLine } from "./log_line.ts";
import type { AppendFile } from "./open_log_file.ts";

/** What a debug log needs. */
export interface DebugLogParts {
  readonly file: AppendFile;
  /** As the person named it. */
  readonly path: string;
  /** Of a sub-agent: the session that started it. */
  readonly parent?: string;
  readonly warn: (line: string) => void;
  readonly now: () => Date;
}

/**
 * Appends a line for each observation. A line that cannot be written is lost, which is told once; the
 * next is tried all the same, since a full disk may have room again.
 */
export class DebugLog implements Recorder {
  readonly #parts: DebugLogParts;
  #session: string | undefined;
  /** Whether the file may end within a line. */
  #torn: boolean;
  #warned = false;
  #closed = false;

  constructor(parts: DebugLogParts) {
    this.#parts = parts;
    this.#torn = parts.file.isTorn;
  }

  record(observation: Observation): void {
    if (this.#closed) return;
    const { file, parent, now } = this.#parts;
    if (observation.type === "session") this.#session = observation.session_id;
    const line = logLine({
      time: now().toISOString(),
      ...(this.#session !== undefined && { session: this.#session }),
      ...(parent !== undefined && { parent }),
    }, observation);
    try {
      file.append(this.#torn ? `\n${line}` : line);
      this.#torn = false;
    } catch (error) {
      this.#torn = true;
      this.#warn(error);
    }
  }

  close(): Promise<void> {
    if (!this.#closed) this.#parts.file[Symbol.dispose]();
    this.#closed = true;
    return Promise.resolve();
  }

  abandon(): Promise<void> {
    return this.close();
  }

  #warn(error: unknown): void {
    if (this.#warned) return;
    // First: the warning is a line for people, and so comes here, too.
    this.#warned = true;
    const { path, warn } = this.#parts;
    warn(`Cannot log to "${path}": ${reasonOf(error)}; the run goes on without these lines`);
  }
}
