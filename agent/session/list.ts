import { reasonOf, SessionLogError } from "./error.ts";
import { cannotOpen, logPath } from "./log.ts";
import { type Peeked, type PeekedLog, peekLog } from "./peek_log.ts";
import { isKnown, type UserRecord } from "./records.ts";

/** What a list of sessions shows of one. */
export interface SessionSummary {
  readonly id: string;
  readonly cwd: string;
  readonly created: Date;
  /** When the last record was written. */
  readonly changed: Date;
  /** What a person calls it. */
  readonly name?: string;
  /** Text of the first thing that was said; absent where nothing was. */
  readonly firstPrompt?: string;
  /** It is the work of a sub-agent: who started it, and as what. */
  readonly child?: { readonly parent: string; readonly role: string };
  /** Why it ended; absent while it runs, and where it broke off. */
  readonly endReason?: string;
}

/** A file among the logs that cannot be read as one. */
export interface UnreadableLog {
  readonly id: string;
  /** What is wrong, in words that follow "since". */
  readonly problem: string;
  /** When it was last written, as far as that is known. */
  readonly changed: Date;
}

/** What lies in a folder of sessions. */
export interface SessionList {
  /** The one changed last first. */
  readonly sessions: readonly SessionSummary[];
  /** Those changed last first. */
  readonly unreadable: readonly UnreadableLog[];
}

/** As much as tells one session from others. */
export type NamedSession = Pick<SessionSummary, "id" | "name" | "firstPrompt">;

/** A session that was looked for. */
export type FoundSession =
  | { readonly kind: "found"; readonly id: string }
  /** Newest first. */
  | { readonly kind: "ambiguous"; readonly sessions: readonly NamedSession[] }
  | { readonly kind: "none" };

/**
 * The sessions of a folder, and what is there in the place of one. Of each file only the beginning
 * and the end are read, so that damage in the middle shows when it is opened.
 * @throws {SessionLogError} "unreadable" where the folder itself cannot be read.
 */
export async function surveySessions(folder: string): Promise<SessionList> {
  const sessions: SessionSummary[] = [];
  const unreadable: UnreadableLog[] = [];
  for (const id of await sessionIds(folder)) {
    const seen = await look(folder, id);
    if (seen && "problem" in seen) unreadable.push(seen);
    else if (seen) sessions.push(seen);
  }
  return { sessions: sessions.sort(byChange), unreadable: unreadable.sort(byChange) };
}

/**
 * The sessions of a folder that persons began, the one changed last first.
 * @throws {SessionLogError} "unreadable" where the folder itself cannot be read.
 */
export async function listSessions(folder: string): Promise<readonly SessionSummary[]> {
  return (await surveySessions(folder)).sessions.filter(({ child }) => child === undefined);
}

function byChange(a: { readonly changed: Date }, b: { readonly changed: Date }): number {
  return b.changed.getTime() - a.changed.getTime();
}

/** Undefined where the log is gone since; one that cannot be opened must not hide the others. */
async function look(
  folder: string,
  id: string,
): Promise<SessionSummary | UnreadableLog | undefined> {
  try {
    const peeked = await peek(logPath(folder, id));
    if (peeked.ok) return summaryOf(id, peeked.log);
    return { id, problem: peeked.problem, changed: peeked.written };
  } catch (error) {
    if (!(error instanceof SessionLogError)) throw error;
    if (error.kind === "missing") return undefined;
    return { id, problem: reasonOf(error.cause), changed: new Date(0) };
  }
}

/**
 * Finds a session: by its id, its name, or any part of either that no other has; or the one of a
 * folder that was changed last and in which something was said.
 */
export async function findSession(
  folder: string,
  wanted: { readonly part: string } | { readonly cwd: string; readonly latest: true },
): Promise<FoundSession> {
  if ("part" in wanted) return await matching(folder, wanted.part);
  const sessions = await listSessions(folder);
  const latest = sessions.find((s) => s.cwd === wanted.cwd && s.firstPrompt !== undefined);
  return latest ? { kind: "found", id: latest.id } : { kind: "none" };
}

/**
 * What a list shows of one session; undefined where the file is no log that this version reads.
 * @throws {SessionLogError} "missing" where there is no such file, "unreadable" where it cannot be
 * opened.
 */
export async function summarise(folder: string, id: string): Promise<SessionSummary | undefined> {
  const peeked = await peek(logPath(folder, id));
  return peeked.ok ? summaryOf(id, peeked.log) : undefined;
}

async function peek(path: string): Promise<Peeked> {
  try {
    using file = await Deno.open(path);
    return await peekLog(file);
  } catch (cause) {
    throw cannotOpen(path, cause);
  }
}

function summaryOf(
  id: string,
  { header, firstUser, last, name, written }: PeekedLog,
): SessionSummary {
  return {
    id,
    cwd: header.cwd,
    created: new Date(header.created),
    changed: last ? new Date(last.time) : written,
    ...(name !== undefined && { name }),
    ...(firstUser && { firstPrompt: textOf(firstUser) }),
    ...(header.child && { child: { parent: header.parent ?? "", role: header.child.role } }),
    ...(last && isKnown(last) && last.type === "end" && { endReason: last.reason }),
  };
}

function textOf(user: UserRecord): string {
  return user.content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
}

async function matching(folder: string, part: string): Promise<FoundSession> {
  const ids = await sessionIds(folder);
  if (ids.includes(part)) return { kind: "found", id: part };
  if (part === "") return { kind: "none" };
  const known = new Map((await listSessions(folder)).map((session) => [session.id, session]));
  const sessions = ids.map((id): NamedSession => {
    const { name, firstPrompt } = known.get(id) ?? {};
    return {
      id,
      ...(name !== undefined && { name }),
      ...(firstPrompt !== undefined && { firstPrompt }),
    };
  });
  const whole = sessions.filter(({ name }) => name === part);
  const word = part.toLowerCase();
  const matches = whole.length > 0
    ? whole
    : sessions.filter(({ id, name }) => id.includes(part) || name?.toLowerCase().includes(word));
  const [only] = matches;
  if (only === undefined) return { kind: "none" };
  return matches.length === 1
    ? { kind: "found", id: only.id }
    : { kind: "ambiguous", sessions: matches };
}

/** Ids of the logs in a folder, whatever lies there, newest first; none where there is no folder. */
async function sessionIds(folder: string): Promise<string[]> {
  const ids: string[] = [];
  try {
    for await (const { name, isFile, isDirectory, isSymlink } of Deno.readDir(folder)) {
      const id = /^([A-Za-z0-9][A-Za-z0-9_-]*)\.jsonl$/.exec(name)?.[1];
      // A pipe would be waited for, one for all logs.
      const isPipe = !isFile && !isDirectory && !isSymlink;
      if (id !== undefined && !isPipe) ids.push(id);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw cannotOpen(folder, error);
  }
  return ids.sort().reverse();
}
