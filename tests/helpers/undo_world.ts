import { ok } from "node:assert/strict";
import { createSession, openSession, type Session } from "../../agent/session/log.ts";
import { randomDigits } from "../../agent/session/session_id.ts";
import {
  makeMove,
  type Moved,
  type MoveParts,
  type PreparedMove,
  prepareMove,
} from "../../agent/snapshots/move.ts";
import { Recorder } from "../../agent/snapshots/recorder.ts";
import { type TaskSnapshots, taskSnapshots } from "../../agent/snapshots/task_snapshots.ts";
import { tempDir } from "./temp_dir.ts";
import { workspaceState } from "./workspace_state.ts";

/** A workspace, a state folder beside it, and sessions that change the one and are kept in the other. */
export interface UndoWorld extends AsyncDisposable {
  readonly workspace: string;
  readonly state: string;
  /** Runs a script of `bash` in the workspace. */
  shell(script: string): Promise<void>;
  files(): Promise<Record<string, string>>;
  newSession(): Promise<UndoSession>;
}

/** A session with undo. */
export interface UndoSession {
  readonly session: Session;
  readonly snapshots: TaskSnapshots;
  readonly notes: readonly string[];
  /** Does a task whose changes are made by `change`; without `end` the process dies before its end. */
  task(change: () => Promise<unknown>, options?: { end?: boolean }): Promise<void>;
  undo(count?: number): Promise<Moved>;
  redo(count?: number): Promise<Moved>;
  prepare(
    role: "undo" | "redo",
    count?: number,
  ): Promise<PreparedMove | { ok: false; why: string }>;
  /** Works with what a move works with. */
  withParts<T>(act: (parts: MoveParts) => Promise<T>): Promise<T>;
  /** Ends the session, and goes on with it as another process would. */
  reopen(): Promise<UndoSession>;
  close(): Promise<void>;
}

/** Makes a world whose workspace holds `files`; its state folder lies beside the workspace or in it. */
export async function undoWorld(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  { state: place = "state" }: { state?: "state" | "work/.state" } = {},
): Promise<UndoWorld> {
  const inside = Object.entries(files).map(([name, content]) => [`work/${name}`, content]);
  const dir = await tempDir({ "work/": "", ...Object.fromEntries(inside) });
  const workspace = dir.join("work");
  const state = dir.join(place);
  const open: UndoSession[] = [];
  const now = () => new Date();
  async function track(session: Session): Promise<UndoSession> {
    const made = sessionIn(workspace, state, session, async () => {
      const id = session.id;
      return await track(await openSession({ folder: dir.join(place, "sessions"), id, now }));
    });
    open.push(made);
    return await Promise.resolve(made);
  }
  return {
    workspace,
    state,
    shell: (script) => shell(script, workspace),
    files: () => workspaceState(workspace),
    newSession: async () =>
      await track(
        await createSession({
          ...{ folder: dir.join(place, "sessions"), cwd: workspace, version: "0", now },
          random: randomDigits,
        }),
      ),
    async [Symbol.asyncDispose]() {
      for (const session of open) await session.close();
      // Folders that a test closed.
      await shell("chmod -R u+rwx .", workspace);
      await dir[Symbol.asyncDispose]();
    },
  };
}

function sessionIn(
  workspace: string,
  state: string,
  session: Session,
  reopen: () => Promise<UndoSession>,
): UndoSession {
  const notes: string[] = [];
  let calls = 0;
  const snapshots = taskSnapshots({
    ...{ workspace, session },
    keeps: { state },
    note: (line) => notes.push(line),
  });
  async function withParts<T>(act: (parts: MoveParts) => Promise<T>): Promise<T> {
    using recorder = await Recorder.open({ workspace, state, session: session.id, claimed: [] });
    return await act({ workspace, recorder, records: session.conversation.snapshots });
  }
  const move = (role: "undo" | "redo", count = 1) =>
    withParts(async (parts) => {
      const prepared = await prepareMove(role, count, parts);
      ok(prepared.ok, `nothing to ${role}`);
      return await makeMove(prepared, parts, (record) => session.append(record));
    });
  const made: UndoSession = {
    ...{ session, snapshots, notes, withParts },
    async task(change, { end = true } = {}) {
      const signal = new AbortController().signal;
      await session.append({ type: "user", content: [{ type: "text", text: `task ${++calls}` }] });
      await snapshots.beforeChange(`call_${calls}`, signal);
      await change();
      if (end) await snapshots.endTask();
    },
    undo: (count) => move("undo", count),
    redo: (count) => move("redo", count),
    prepare: (role, count = 1) => withParts((parts) => prepareMove(role, count, parts)),
    async reopen() {
      await made.close();
      return await reopen();
    },
    async close() {
      snapshots.close();
      await session.close("done");
    },
  };
  return made;
}

async function shell(script: string, cwd: string): Promise<void> {
  const { code, stderr } = await new Deno.Command("bash", {
    args: ["-euc", script],
    cwd,
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: cwd, LC_ALL: "C.UTF-8" },
    clearEnv: true,
    stdin: "null",
  }).output();
  ok(code === 0, new TextDecoder().decode(stderr));
}
