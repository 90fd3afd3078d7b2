import type { OptionValues } from "../command_line/options.ts";
import { EXIT } from "../exit_code.ts";
import { openBesideTasks } from "../session/beside_tasks.ts";
import { SessionLogError } from "../session/error.ts";
import { taskSnapshots } from "../snapshots/task_snapshots.ts";
import type { WorktreeRecord } from "../worktrees/record.ts";
import type { MergeOutcome, Worktree } from "../worktrees/worktree.ts";
import { confirm } from "./confirm.ts";
import type { Host } from "./headless.ts";
import { shownPatch } from "./shown_patch.ts";
import { closedText, mergedText } from "./worktrees_text.ts";

/** What a merge is made with. */
export interface MergeParts {
  readonly state: string;
  readonly options: OptionValues;
  readonly host: Host;
}

/**
 * Shows what a worktree would bring into its workspace, asks unless `--yes` is given, brings it, and
 * lets the worktree go where nothing more is in it; resolves to the exit code.
 * @throws {SessionLogError} "locked" where its session was opened meanwhile.
 */
export async function mergeWorktree(
  worktree: Worktree,
  record: WorktreeRecord,
  parts: MergeParts,
): Promise<number> {
  const { options, host } = parts;
  const { stdout } = host.streams;
  const { name: id } = record;
  const patch = await worktree.changes();
  stdout.write(shownPatch(patch, options, host));
  const isWanted = options.yes || patch.files.length === 0 ||
    await confirm(`Bring the work of ${id} into the workspace?`, host);
  if (!isWanted) {
    stdout.write(`${id} stays as it is\n`);
    return EXIT.failed;
  }
  const outcome = await undoably(record, parts, () => worktree.mergeBack(patch));
  stdout.write(mergedText(id, outcome));
  stdout.write(closedText(id, await worktree.close()));
  return outcome.ok ? EXIT.done : EXIT.failed;
}

/** Counts as a task of the session that the worktree is of, so that `cordon undo` knows it. */
async function undoably(
  { name, session: id, workspace }: WorktreeRecord,
  { state, host }: MergeParts,
  merge: () => Promise<MergeOutcome>,
): Promise<MergeOutcome> {
  const { stderr } = host.streams;
  const folder = `${state}/sessions`;
  await using opened = await openedIfThere(folder, id);
  if (!opened) {
    stderr.write(`warning: cordon undo will not know it: session ${id} is gone\n`);
    return await merge();
  }
  const snapshots = taskSnapshots({
    ...{ workspace, session: opened.session, keeps: { state } },
    prompt: `cordon worktrees merge ${name}`,
    note: (line) => stderr.write(`${line}\n`),
  });
  try {
    await snapshots.beforeChange(`${name}/merge`, new AbortController().signal);
    return await merge();
  } finally {
    await snapshots.endTask();
    snapshots.close();
  }
}

/** A log that was deleted, or cannot be read, keeps nobody from the work. */
async function openedIfThere(folder: string, id: string) {
  try {
    return await openBesideTasks(folder, id);
  } catch (error) {
    if (error instanceof SessionLogError && error.kind !== "locked") return undefined;
    throw error;
  }
}
