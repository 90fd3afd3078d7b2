import { createTurns } from "../../sandbox/files/turns.ts";
import type { ConversationView } from "../session/conversation.ts";
import { reasonOf } from "../session/error.ts";
import type { NewRecord } from "../session/records.ts";
import type { Move } from "./history.ts";
import type { Moved, MoveParts, NothingToMove, PreparedMove } from "./move.ts";
import type { Recorder } from "./recorder.ts";

/** The snapshots around the tasks of a session. */
export interface TaskSnapshots {
  /**
   * To be awaited before each change; the first one of a task is what counts. Whoever asks while it
   * is being seen to waits for it, and sees to it in its place where that was stopped.
   * @throws the reason of `signal` once it is raised.
   */
  beforeChange(callId: string, signal: AbortSignal): Promise<void>;
  /** To be awaited when a task has ended, whatever its end. */
  endTask(): Promise<void>;
  /** What an undo or redo of so many tasks would do; not to be asked while a task runs. */
  prepareMove(role: Move["role"], count: number): Promise<PreparedMove | NothingToMove>;
  /** Does what was prepared, and logs it. */
  makeMove(prepared: PreparedMove): Promise<Moved>;
  /** Lets the store go. */
  close(): void;
}

/** What snapshots are taken of and for. */
export interface TaskSnapshotsOptions {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** The state folder, or why nothing can be undone here. */
  readonly keeps: { readonly state: string } | { readonly nothing: string };
  readonly session: {
    readonly id: string;
    readonly conversation: ConversationView;
    append(record: NewRecord): Promise<unknown>;
  };
  /** What a step is known by; default: what the person said last. */
  readonly prompt?: string;
  /** A line for people. */
  readonly note: (line: string) => void;
}

/** How much of what the person had said a step is known by, in UTF-16 units. */
const MAX_PROMPT_CHARS = 100;

/** What has the turns of {@linkcode LazySnapshots}: all of a session goes on one task. */
const TASK = "task";

/** Takes a snapshot before the first change of each task and one at its end. */
export function taskSnapshots(options: TaskSnapshotsOptions): TaskSnapshots {
  return new LazySnapshots(options);
}

/** Nothing is loaded or looked at before something is about to change. */
class LazySnapshots implements TaskSnapshots {
  readonly #options: TaskSnapshotsOptions;
  /** Calls, what children bring back and the end of a task come as they like. */
  readonly #turns = createTurns();
  #recorder: Recorder | undefined;
  #task: "untouched" | "recorded" | "failed" = "untouched";
  #told = false;
  /** Why the last snapshot that was wanted could not be had. */
  #lost = "";

  constructor(options: TaskSnapshotsOptions) {
    this.#options = options;
  }

  async beforeChange(callId: string, signal: AbortSignal): Promise<void> {
    if (this.#task !== "untouched") return;
    await this.#turns.take(TASK, async () => {
      signal.throwIfAborted();
      if (this.#task === "untouched") await this.#beginTask(callId, signal);
    });
  }

  async endTask(): Promise<void> {
    await this.#turns.take(TASK, async () => {
      const recorded = this.#task === "recorded";
      this.#task = "untouched";
      const tree = recorded ? await this.#take("after") : undefined;
      if (tree === undefined) return;
      await this.#options.session.append({ type: "snapshot", role: "after", tree });
    });
  }

  async #beginTask(callId: string, signal: AbortSignal): Promise<void> {
    const tree = await this.#take("before", signal);
    const { session, keeps } = this.#options;
    const words = this.#options.prompt ?? lastPrompt(session.conversation);
    const prompt = words.slice(0, MAX_PROMPT_CHARS);
    if (tree !== undefined) {
      await session.append({ type: "snapshot", role: "before", call_id: callId, tree, prompt });
    } else if ("state" in keeps) {
      // An undo must not take the task before for the last one.
      await session.append({ type: "snapshot", tree: "", prompt, lost: this.#lost });
    }
    this.#task = tree === undefined ? "failed" : "recorded";
  }

  async prepareMove(role: Move["role"], count: number): Promise<PreparedMove | NothingToMove> {
    const { keeps } = this.#options;
    if ("nothing" in keeps) return { ok: false, why: `undo is not available: ${keeps.nothing}` };
    const { prepareMove } = await import("./move.ts");
    return await prepareMove(role, count, await this.#parts(keeps.state));
  }

  async makeMove(prepared: PreparedMove): Promise<Moved> {
    const { keeps, session } = this.#options;
    if ("nothing" in keeps) throw new TypeError(`Cannot ${prepared.move.role}: ${keeps.nothing}`);
    const { makeMove } = await import("./move.ts");
    const parts = await this.#parts(keeps.state);
    return await makeMove(prepared, parts, (record) => session.append(record));
  }

  close(): void {
    this.#recorder?.[Symbol.dispose]();
    this.#recorder = undefined;
  }

  /** A snapshot that cannot be had stops no task: it is told, and that task cannot be undone. */
  async #take(when: "before" | "after", signal?: AbortSignal): Promise<string | undefined> {
    const { keeps } = this.#options;
    if ("nothing" in keeps) return void this.#tell(`undo is not available: ${keeps.nothing}`);
    try {
      const recorder = this.#recorder ??= await this.#open(keeps.state);
      const { root, filesPutOff, stopped } = await recorder.take(when, signal);
      if (stopped) this.#tell("undo knows a part of the workspace only: it holds too many files");
      if (filesPutOff > 0) this.#tell(`for now undo does not know ${filesPutOff} of the files`);
      return root.tree;
    } catch (error) {
      signal?.throwIfAborted();
      this.#lost = reasonOf(error);
      this.#tell(`undo is not available: ${this.#lost}`);
      return undefined;
    }
  }

  async #parts(state: string): Promise<MoveParts> {
    const { workspace, session } = this.#options;
    const recorder = this.#recorder ??= await this.#open(state);
    return { workspace, recorder, records: session.conversation.snapshots };
  }

  async #open(state: string): Promise<Recorder> {
    const { workspace, session } = this.#options;
    const { Recorder } = await import("./recorder.ts");
    const claimed = session.conversation.snapshots.map(({ tree }) => tree)
      .filter((tree) => tree !== "");
    return await Recorder.open({ workspace, state, session: session.id, claimed });
  }

  #tell(line: string): void {
    if (!this.#told) this.#options.note(`warning: ${line}`);
    this.#told = true;
  }
}

function lastPrompt({ said }: ConversationView): string {
  const content = said.at(-1)?.content ?? [];
  return content.flatMap((part) => part.type === "text" ? [part.text] : []).join(" ");
}
