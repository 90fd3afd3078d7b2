import type { OptionValues } from "../command_line/options.ts";
import { type Invocation, UsageError } from "../command_line/parse.ts";
import { EXIT } from "../exit_code.ts";
import { findSessionId } from "../find_session_id.ts";
import { keepsState, prepareLaunch } from "../launch.ts";
import { openBesideTasks } from "../session/beside_tasks.ts";
import { findSession, summarise } from "../session/list.ts";
import { logPath } from "../session/log.ts";
import { readLog } from "../session/read_log.ts";
import { isKnown, type SnapshotRecord } from "../session/records.ts";
import { makeMove, type MoveParts, type NothingToMove, prepareMove } from "../snapshots/move.ts";
import { Recorder } from "../snapshots/recorder.ts";
import { storeFolder } from "../snapshots/snapshot_store.ts";
import { usingState } from "../state_error.ts";
import type { Host } from "./headless.ts";
import { describeMove, describeMoved } from "./move_text.ts";

/** Where a session's log lies, and what it is about. */
interface Place {
  readonly sessions: string;
  readonly state: string;
  readonly workspace: string;
  readonly id: string;
  /** Nobody named it: it is the latest of the workspace. */
  readonly latest: boolean;
  readonly role: "undo" | "redo";
}

/**
 * `cordon undo [N]` and `cordon redo [N]`: shows what is to be done, and does it unless `--dry-run`
 * is given. Resolves to the exit code: 0 where all of it could be done.
 * @throws {UsageError} for a number that is none, and where there is no session.
 * @throws {SessionLogError} where another process has the session open, or its log cannot be used.
 */
export async function runUndo(
  role: "undo" | "redo",
  { options, operands }: Invocation,
  host: Host,
): Promise<number> {
  const count = countOf(role, operands);
  const place = await findPlace(role, options, host);
  const { stdout } = host.streams;
  if (options["dry-run"]) {
    const records = await recordsIn(place);
    const prepared = await withRecorder(place, records, (parts) => prepareMove(role, count, parts));
    if (!prepared.ok) return nothing(prepared, place, host);
    stdout.write(describeMove(prepared, place.id));
    stdout.write("Nothing was changed: --dry-run\n");
    return EXIT.done;
  }
  const { sessions: folder, id } = place;
  await using opened = await openBesideTasks(folder, id);
  const { session } = opened;
  return await withRecorder(place, session.conversation.snapshots, async (parts) => {
    const prepared = await prepareMove(role, count, parts);
    if (!prepared.ok) return nothing(prepared, place, host);
    stdout.write(describeMove(prepared, id));
    // It can be read before the first file changes.
    await stdout.flush();
    const { kept } = await makeMove(prepared, parts, (record) => session.append(record));
    stdout.write(describeMoved(prepared, kept));
    return kept.length > 0 ? EXIT.failed : EXIT.done;
  });
}

function countOf(role: string, operands: readonly string[]): number {
  const [text = "1", ...more] = operands;
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && more.length === 0) return count;
  throw new UsageError(
    `Cannot ${role} "${operands.join(" ")}": it takes a number of tasks, or none`,
  );
}

async function findPlace(
  role: Place["role"],
  options: OptionValues,
  host: Host,
): Promise<Place> {
  const launch = await prepareLaunch(options, host.env, host.cwd);
  const { state, sessions, workspace } = launch.places;
  if (state === undefined || sessions === undefined || !keepsState(launch)) {
    throw new UsageError(
      `Cannot ${role}: no folder of sessions is known or may be used, see --state`,
    );
  }
  if (options.resume) {
    return placeOf(sessions, await findSessionId(sessions, options.resume), false);
  }
  const found = await findSession(sessions, { cwd: workspace, latest: true });
  if (found.kind !== "found") throw new UsageError(`Cannot ${role}: no session of "${workspace}"`);
  return await placeOf(sessions, found.id, true);

  async function placeOf(folder: string, id: string, latest: boolean): Promise<Place> {
    const { cwd } = await summarise(folder, id) ?? {};
    // A session is undone where it worked, wherever the command is given.
    const place = { sessions: folder, state: state ?? "", workspace: cwd ?? workspace };
    return { ...place, id, latest, role };
  }
}

async function recordsIn({ sessions, id }: Place): Promise<readonly SnapshotRecord[]> {
  const path = logPath(sessions, id);
  const { records } = readLog(await Deno.readFile(path), path);
  return records.filter((record) => isKnown(record)).filter((record) => record.type === "snapshot");
}

async function withRecorder<T>(
  { workspace, state, id }: Place,
  records: readonly SnapshotRecord[],
  act: (parts: MoveParts) => Promise<T>,
): Promise<T> {
  using recorder = await usingState(
    storeFolder(state, workspace),
    () => Recorder.open({ workspace, state, session: id, claimed: [] }),
  );
  return await act({ workspace, recorder, records });
}

function nothing({ why, failed }: NothingToMove, { id, latest, role }: Place, host: Host): number {
  // A question that was asked since is a session of its own.
  const others = latest && !failed ? `; cordon ${role} --resume=ID looks at another session` : "";
  host.streams.stdout.write(`Session ${id}: ${why}${others}\n`);
  return failed ? EXIT.failed : EXIT.done;
}
