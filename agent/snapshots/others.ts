import { isAbsolute, join, relative } from "node:path";
import { SessionLogError } from "../session/error.ts";
import { readLogFile } from "../session/log.ts";
import type { LogContents } from "../session/read_log.ts";
import { isKnown, type LogRecord, type SnapshotRecord } from "../session/records.ts";
import { historyOf, type Step } from "./history.ts";
import { diffTrees, SnapshotGone } from "./trees.ts";

/** Where the logs of the sessions of one workspace lie. */
export interface Neighbours {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** The folder of all logs. */
  readonly logs: string;
  /** Ids of the sessions that have taken snapshots of the workspace, the own one included. */
  readonly sessions: readonly string[];
  readonly own: string;
  readonly load: (hash: string) => Uint8Array | undefined;
}

/** By path from the workspace: the session that may have changed it meanwhile. */
export type Claims = ReadonlyMap<string, string>;

/**
 * What other sessions changed in the workspace while a task of the own one went on. Two snapshots
 * tell what changed between them and not who did it; so what both sessions saw changing counts as
 * the others', but for files that a file tool of the own session named and none of theirs did.
 */
export async function claimsOfOthers(step: Step, neighbours: Neighbours): Promise<Claims> {
  const { sessions, own, logs } = neighbours;
  const claims = new Map<string, string>();
  const others = sessions.filter((id) => id !== own);
  if (others.length === 0) return claims;
  const ours = namedIn((await logOf(logs, own))?.records ?? [], step, neighbours);
  for (const [id, { records }] of strangersOf(own, await logsOf(logs, others))) {
    const theirs = namedIn(records, step, neighbours);
    for (const path of changedBy(records, step, neighbours)) {
      if (!ours.has(path) || theirs.has(path)) claims.set(path, id);
    }
  }
  return claims;
}

/** A session whose log is gone or damaged has no say. */
async function logOf(logs: string, id: string): Promise<LogContents | undefined> {
  try {
    return await readLogFile(join(logs, `${id}.jsonl`));
  } catch (error) {
    if (error instanceof SessionLogError) return undefined;
    throw error;
  }
}

async function logsOf(logs: string, ids: readonly string[]): Promise<Map<string, LogContents>> {
  const found = new Map<string, LogContents>();
  for (const id of ids) {
    const log = await logOf(logs, id);
    if (log) found.set(id, log);
  }
  return found;
}

/** Those that are no sub-agents of the own session, however deep: what these did, it did. */
function strangersOf(own: string, logs: ReadonlyMap<string, LogContents>) {
  const parentOf = (id: string) => {
    const header = logs.get(id)?.header;
    return header?.child ? header.parent ?? undefined : undefined;
  };
  const isOurs = (id: string | undefined): boolean =>
    id !== undefined && (id === own || isOurs(parentOf(id)));
  return [...logs].filter(([id]) => !isOurs(id));
}

/** The paths that changed in tasks of a session, as far as these overlap with the step. */
function changedBy(
  records: readonly LogRecord[],
  step: Step,
  { load }: Neighbours,
): Set<string> {
  const snapshots = records.filter(isSnapshot);
  const { steps } = historyOf(snapshots);
  // A move brings back or takes away what any of its session's tasks did.
  const moved = snapshots.some(({ role, time }) =>
    (role === "undo" || role === "redo") && isWithin(time, step)
  );
  if (!moved && !wasAtWork(records, step)) return new Set();
  const overlapping = steps.filter((other) => moved || overlap(step, other));
  return new Set(overlapping.flatMap(({ before, after }) => changedBetween(before, after, load)));
}

function changedBetween(
  before: string,
  after: string | undefined,
  load: Neighbours["load"],
): string[] {
  // A task that still goes on, or died, has no second snapshot: nothing is known of it.
  if (after === undefined) return [];
  try {
    return diffTrees(before, after, load).map(({ path }) => path);
  } catch (error) {
    if (error instanceof SnapshotGone) return [];
    throw error;
  }
}

/** The paths that file tools named in their results during the step. */
function namedIn(
  records: readonly LogRecord[],
  step: Step,
  { workspace }: Neighbours,
): Set<string> {
  const named = records.flatMap((record) =>
    isKnown(record) && record.type === "tool_result" && isWithin(record.time, step)
      ? pathsIn(record.value)
      : []
  );
  return new Set(named.map((path) => isAbsolute(path) ? relative(workspace, path) : path));
}

/** The value of an edit has the path of its file, or a list of files that have one. */
function pathsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (!("ok" in value) || value.ok !== true) return [];
  const own = "path" in value && typeof value.path === "string" ? [value.path] : [];
  const files: readonly unknown[] = "files" in value && Array.isArray(value.files)
    ? value.files
    : [];
  return [...own, ...files.flatMap((file) => pathsIn({ ok: true, ...Object(file) }))];
}

/**
 * Whether a session did anything at all while the step went on: a call or a job of its own was under
 * way. A task that only waited for its model all the while has changed nothing of it.
 */
function wasAtWork(records: readonly LogRecord[], step: Step): boolean {
  const ends = new Map<string, string>();
  for (const record of records) {
    if (!isKnown(record)) continue;
    if (record.type === "tool_result") ends.set(record.call_id, record.time);
    // When it began is not told; that it had not ended is enough to count.
    if (record.type === "job_end" && record.time >= step.begun) return true;
  }
  return records.some((record) =>
    isKnown(record) && record.type === "tool_call" &&
    overlap(step, { begun: record.time, ended: ends.get(record.call_id) })
  );
}

function isSnapshot(record: LogRecord): record is SnapshotRecord {
  return isKnown(record) && record.type === "snapshot";
}

type Span = Pick<Step, "begun" | "ended">;

/** Times are ISO 8601 in UTC, which sorts as text. A step that has no end goes on. */
function isWithin(time: string, { begun, ended }: Span): boolean {
  return time >= begun && (ended === undefined || time <= ended);
}

function overlap(one: Span, other: Span): boolean {
  return (one.ended === undefined || other.begun <= one.ended) &&
    (other.ended === undefined || one.begun <= other.ended);
}
