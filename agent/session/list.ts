import { SessionLogError } from "./error.ts";
import { cannotOpen, logPath } from "./log.ts";
import { type PeekedLog, peekLog } from "./peek_log.ts";
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
  /** Why it ended; absent while it runs, and where it broke off. */
  readonly endReason?: string;
}

/** As much as tells one session from others. */
export type NamedSession = Pick<SessionSummary, "id" | "name">;

/** A session that was looked for. */
export type FoundSession =
  | { readonly kind: "found"; readonly id: string }
  /** Newest first. */
  | { readonly kind: "ambiguous"; readonly sessions: readonly NamedSession[] }
  | { readonly kind: "none" };

/**
 * The sessions of a folder, the one changed last first; files that cannot be opened or are no
 * logs of ours are left out. Of each file only the beginning and the end are read.
 * @throws {SessionLogError} "unreadable" where the folder itself cannot be read.
 */
export async function listSessions(folder: string): Promise<SessionSummary[]> {
  const summaries: SessionSummary[] = [];
  for (const id of await sessionIds(folder)) {
    try {
      const summary = await summarise(folder, id);
      if (summary) summaries.push(summary);
    } catch (error) {
      // One file that cannot be opened, or is gone since, must not hide the others.
      if (!(error instanceof SessionLogError)) throw error;
    }
  }
  return summaries.sort((a, b) => b.changed.getTime() - a.changed.getTime());
}

/**
 * Finds a session: by its id, its name, or any part of either that no other has, or the one that was changed last
 * in a folder, where something was said.
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
  const path = logPath(folder, id);
  try {
    using file = await Deno.open(path);
    const peeked = await peekLog(file);
    return peeked && summaryOf(id, peeked);
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
  const names = new Map((await listSessions(folder)).map(({ id, name }) => [id, name]));
  const sessions = ids.map((id): NamedSession => {
    const name = names.get(id);
    return { id, ...(name !== undefined && { name }) };
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

/** Ids of the logs in a folder, newest first; none where there is no folder. */
async function sessionIds(folder: string): Promise<string[]> {
  const ids: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      const id = /^([A-Za-z0-9][A-Za-z0-9_-]*)\.jsonl$/.exec(name)?.[1];
      if (isFile && id !== undefined) ids.push(id);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw cannotOpen(folder, error);
  }
  return ids.sort().reverse();
}
