import type { SnapshotRecord } from "../session/records.ts";

/** What one task did to the workspace, as two snapshots. */
export interface Step {
  readonly before: string;
  /** Undefined where the process ended before the task did: what it left is not known. */
  readonly after: string | undefined;
  /** The beginning of what the person had said. */
  readonly prompt: string;
  /** When the first snapshot was taken, in ISO 8601. */
  readonly begun: string;
  /** When the second one was taken; undefined where the task did not come to it. */
  readonly ended: string | undefined;
}

/** An undo or redo of so many steps. */
export interface Move {
  readonly role: "undo" | "redo";
  readonly steps: number;
}

/** The steps of a session, and how many of them are in force. */
export interface History {
  readonly steps: readonly Step[];
  /** Steps from here on are undone. */
  readonly position: number;
  /** A move that did not come to its end; `position` is where it leads. */
  readonly cutOff: Move | undefined;
  /** Why no snapshot could be taken of the tasks that came after the last step, in their order. */
  readonly lost: readonly string[];
}

/**
 * Reads the snapshots of a log as a history. A task that changed nothing is no step; one that did
 * makes what was undone before it unreachable.
 */
export function historyOf(records: readonly SnapshotRecord[]): History {
  return records.reduce(withRecord, {
    steps: [],
    position: 0,
    cutOff: undefined,
    lost: [],
    undone: [],
  });
}

interface Fold extends History {
  /** Steps that come back if the last one turns out to have changed nothing. */
  readonly undone: readonly Step[];
}

function withRecord(history: Fold, record: SnapshotRecord): Fold {
  switch (record.role) {
    case "before":
      return begin(close(history, record), record);
    case "after":
      return close(history, record);
    case "undo":
    case "redo":
      return move(history, { role: record.role, steps: record.steps ?? 1 }, record.state);
    default:
      return record.lost === undefined
        ? history
        : { ...history, lost: [...history.lost, record.lost] };
  }
}

function begin(
  { steps, position }: Fold,
  { tree, prompt = "", time: begun }: SnapshotRecord,
): Fold {
  const step = { before: tree, after: undefined, prompt, begun, ended: undefined };
  return {
    steps: [...steps.slice(0, position), step],
    position: position + 1,
    cutOff: undefined,
    lost: [],
    undone: steps.slice(position),
  };
}

/** A task that was cut off left, as far as anybody knows, what the next snapshot shows. */
function close(history: Fold, { tree: after, time: ended }: SnapshotRecord): Fold {
  const { steps, position, undone } = history;
  const last = steps[position - 1];
  if (!last || last.after !== undefined) return history;
  const earlier = steps.slice(0, position - 1);
  if (last.before === after) {
    return { ...history, steps: [...earlier, ...undone], position: position - 1, undone: [] };
  }
  return { ...history, steps: [...earlier, { ...last, after, ended }], undone: [] };
}

function move(history: Fold, made: Move, state: SnapshotRecord["state"]): Fold {
  // The end of a move whose beginning was told.
  if (state !== "begun" && history.cutOff) return { ...history, cutOff: undefined };
  const target = history.position + (made.role === "undo" ? -made.steps : made.steps);
  return {
    ...history,
    position: Math.min(Math.max(target, 0), history.steps.length),
    cutOff: state === "begun" ? made : undefined,
    lost: [],
  };
}
