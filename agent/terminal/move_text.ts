import type { Action, Kept } from "../../sandbox/snapshots/restore.ts";
import type { PreparedMove } from "../snapshots/move.ts";
import { printable } from "./output.ts";

/** What an undo or redo is about to do, a line for each path. */
export function describeMove(prepared: PreparedMove, session: string): string {
  const { move, tasks, resumes, wasCutOff, actions, kept } = prepared;
  const verb = move.role === "undo" ? "Undo" : "Redo";
  const what = `${move.steps} ${move.steps === 1 ? "task" : "tasks"} of session ${session}`;
  return [
    resumes ? `${verb} of ${what}, which was cut off, goes on:` : `${verb} of ${what}:`,
    ...tasks.map(({ prompt }) => `  "${printable(prompt)}"`),
    ...(wasCutOff
      ? ["  (it was cut off: all that changed since it began goes with it, and comes with redo)"]
      : []),
    ...actions.map((action) => `  ${verbOf(action).padEnd(8)} ${printable(nameOf(action))}`),
    ...kept.map(keptLine),
    ...(actions.length + kept.length === 0 ? ["  nothing is left to do"] : []),
    "",
  ].join("\n");
}

/** How it went; paths that turned out otherwise than was shown. `redo` is the command that makes it again. */
export function describeMoved(
  prepared: PreparedMove,
  kept: readonly Kept[],
  redo = "cordon redo",
): string {
  const known = new Set(prepared.kept.map(({ path }) => path));
  const late = kept.filter(({ path }) => !known.has(path));
  const count = prepared.actions.length - late.length;
  const rest = kept.length > 0 ? `, ${kept.length} left as they are` : "";
  const back = prepared.move.role === "undo" ? `; ${redo} brings it back` : "";
  return [...late.map(keptLine), `Done: ${count} changed${rest}${back}`, ""].join("\n");
}

function keptLine({ path, why }: Kept): string {
  return `  ${"keep".padEnd(8)} ${printable(path)}: ${printable(why)}`;
}

function nameOf({ path, from, to }: Action): string {
  return (to ?? from)?.kind === "folder" ? `${path}/` : path;
}

function verbOf({ from, to }: Action): string {
  if (to === undefined) return "remove";
  if (from === undefined) return "create";
  const onlyMode = from.kind === to.kind &&
    (to.kind === "folder" || (from.kind === "file" && to.kind === "file" && from.hash === to.hash));
  return onlyMode ? "set mode" : "restore";
}
