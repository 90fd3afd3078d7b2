import { isOfSystem } from "../../sandbox/files/system_errors.ts";
import { presentIn } from "../../sandbox/snapshots/present.ts";
import { type Action, type Kept, restore } from "../../sandbox/snapshots/restore.ts";
import type { NewRecord, SnapshotRecord } from "../session/records.ts";
import { type History, historyOf, type Move, type Step } from "./history.ts";
import { planRestore, type Wish } from "./plan.ts";
import { claimsOfOthers } from "./others.ts";
import type { Recorder } from "./recorder.ts";
import { diffTrees, SnapshotGone } from "./trees.ts";

/** Whose changes are undone or made again. */
export interface MoveParts {
  /** Absolute, links resolved. */
  readonly workspace: string;
  readonly recorder: Recorder;
  /** The `snapshot` records of the session, in order. */
  readonly records: readonly SnapshotRecord[];
}

/** What an undo or redo would do. */
export interface PreparedMove {
  readonly ok: true;
  readonly move: Move;
  /** The tasks it is about, in the order in which they are undone or made again. */
  readonly tasks: readonly Step[];
  /** It goes on with a move that a crash cut off. */
  readonly resumes: boolean;
  /** The last task was cut off, so that changes of the person since then go with it. */
  readonly wasCutOff: boolean;
  readonly actions: readonly Action[];
  readonly kept: readonly Kept[];
  /** Records that belong before the move. */
  readonly records: readonly NewRecord[];
  /** The snapshot that is aimed at. */
  readonly tree: string;
}

/** Why there is nothing to be done, in words. */
export interface NothingToMove {
  readonly ok: false;
  readonly why: string;
  /** There would be something to do, if it could be done. */
  readonly failed?: true;
}

/** What came of a move. */
export interface Moved {
  readonly done: readonly Action[];
  readonly kept: readonly Kept[];
}

/**
 * Works out what an undo or redo of so many tasks would do, or of all that there are where they are
 * fewer. Changes no file of the workspace.
 */
export async function prepareMove(
  role: Move["role"],
  count: number,
  parts: MoveParts,
): Promise<PreparedMove | NothingToMove> {
  const closing = role === "undo" ? await closeTask(parts) : [];
  if (!Array.isArray(closing)) return closing;
  const history = historyOf([...parts.records, ...closing.map(asRecord)]);
  const lost = role === "undo" ? history.lost : [];
  if (lost.length >= count) return lostTasks(history);
  const resumes = history.cutOff?.role === role;
  const { tasks, tree } = resumes && history.cutOff
    ? tasksBehind(history, history.cutOff)
    : tasksAhead(history, { role, steps: count - lost.length });
  if (tree === undefined) return { ok: false, why: `there is nothing to ${role}` };
  try {
    const wishes: Wish[][] = [];
    for (const task of tasks) wishes.push(await wishesOf(task, role, parts.recorder));
    const plan = planRestore(wishes, {
      present: presentIn(parts.workspace),
      isStored: (hash) => parts.recorder.store.objects.has(hash),
      afterCutOff: history.cutOff !== undefined,
    });
    const move = { role, steps: tasks.length };
    const wasCutOff = closing.length > 0;
    return { ok: true, move, tasks, resumes, wasCutOff, ...plan, records: closing, tree };
  } catch (error) {
    if (!(error instanceof SnapshotGone)) throw error;
    return { ok: false, why: `${error.message}: the oldest snapshots go when the store is full` };
  }
}

/**
 * Does what was prepared, and logs its beginning and its end: after a crash in between, the same
 * command goes on with it.
 */
export async function makeMove(
  prepared: PreparedMove,
  { workspace, recorder }: MoveParts,
  append: (record: NewRecord) => Promise<unknown>,
): Promise<Moved> {
  const { move, tree, resumes, actions, records } = prepared;
  const record = { type: "snapshot" as const, tree, ...move };
  if (!resumes) {
    for (const before of records) await append(before);
    await append({ ...record, state: "begun" });
  }
  const { objects } = recorder.store;
  const { done, kept } = restore(workspace, actions, (hash) => objects.load(hash));
  const all = [...prepared.kept, ...kept];
  await append({ ...record, state: "done", kept: all.map(({ path }) => path) });
  return { done, kept: all };
}

/** A task that was cut off left what is there now, as far as anybody knows. */
async function closeTask(
  { records, recorder }: MoveParts,
): Promise<NewRecord[] | NothingToMove> {
  const { steps, position, cutOff } = historyOf(records);
  if (cutOff || position === 0 || steps[position - 1]?.after !== undefined) return [];
  try {
    const { root } = await recorder.take("after");
    return [{ type: "snapshot", role: "after", tree: root.tree }];
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    const why = `what is there now cannot be kept for a redo (${error.message})`;
    return { ok: false, why: `the last task cannot be undone: ${why}`, failed: true };
  }
}

/** To undo the task before it instead would be another thing than what was asked for. */
function lostTasks({ lost, position }: History): NothingToMove {
  const which = lost.length === 1 ? "the last task" : `the last ${lost.length} tasks`;
  const further = position > 0
    ? `; cordon undo ${lost.length + 1} undoes the one before, and leaves what came since`
    : "";
  const why = `${which} cannot be undone: no snapshot could be kept (${lost.at(-1)})${further}`;
  return { ok: false, why, failed: true };
}

/** The tasks of a move that is to be made; none where there is no way to go. */
function tasksAhead({ steps, position }: History, { role, steps: count }: Move) {
  return role === "undo"
    ? inOrder(role, steps.slice(Math.max(0, position - count), position))
    : inOrder(role, steps.slice(position, position + count));
}

/** The tasks of a move that was begun. */
function tasksBehind({ steps, position }: History, { role, steps: count }: Move) {
  return role === "undo"
    ? inOrder(role, steps.slice(position, position + count))
    : inOrder(role, steps.slice(Math.max(0, position - count), position));
}

function inOrder(role: Move["role"], tasks: readonly Step[]) {
  return role === "undo"
    ? { tasks: tasks.toReversed(), tree: tasks[0]?.before }
    : { tasks, tree: tasks.at(-1)?.after };
}

async function wishesOf(task: Step, role: Move["role"], recorder: Recorder): Promise<Wish[]> {
  const { before, after } = task;
  if (after === undefined) return [];
  const claims = await claimsOfOthers(task, recorder.neighbours());
  const { objects } = recorder.store;
  return diffTrees(before, after, (hash) => objects.load(hash)).map((change) => {
    const { path, before, after } = change;
    const other = claims.get(path);
    return {
      path,
      ...(role === "undo" ? { from: after, to: before } : { from: before, to: after }),
      ...(other !== undefined && { kept: `session ${other} changed it, or may have, meanwhile` }),
    };
  });
}

/** A record as the fold takes it, before the log has given it a place. */
function asRecord(record: NewRecord): SnapshotRecord {
  if (record.type !== "snapshot") throw new TypeError(`Cannot read a ${record.type} as a snapshot`);
  return { ...record, id: "", parent: "", time: new Date().toISOString() };
}
