import type { ListSessionsResponse } from "@agentclientprotocol/sdk";
import { listSessions, type SessionSummary } from "../session/list.ts";
import { refusedRequest } from "./request_errors.ts";
import { titleOf } from "./title.ts";

/** How many sessions one answer lists. */
const PAGE = 50;

/**
 * The sessions of a folder of logs in which something was said, the one changed last first, a page
 * at a time; of those in `cwd` alone where it is given, links resolved.
 * @throws {RequestError} for a cursor that is none of ours.
 * @throws {SessionLogError} "unreadable" where the folder cannot be read.
 */
export async function sessionPage(
  folder: string,
  cwd: string | undefined,
  cursor: string | undefined,
): Promise<ListSessionsResponse> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const left = (await listSessions(folder)).filter((session) =>
    session.firstPrompt !== undefined && (cwd === undefined || session.cwd === cwd) &&
    (after === undefined || comesAfter(session, after))
  );
  const page = left.slice(0, PAGE);
  const last = page.at(-1);
  return {
    sessions: page.map((session) => {
      const title = titleOf(session);
      return {
        sessionId: session.id,
        cwd: session.cwd,
        updatedAt: session.changed.toISOString(),
        ...(title !== undefined && { title }),
      };
    }),
    ...(last && left.length > page.length && { nextCursor: cursorOf(last) }),
  };
}

/** The session that a page ended with: those that change meanwhile do not shift the next. */
interface Place {
  readonly changedMs: number;
  readonly id: string;
}

function cursorOf({ changed, id }: SessionSummary): string {
  return `${changed.getTime()}:${id}`;
}

function readCursor(cursor: string): Place {
  const [, changed, id] = /^(\d{1,16}):(.+)$/.exec(cursor) ?? [];
  if (changed === undefined || id === undefined) {
    throw refusedRequest("There is no such page of sessions: list them from the beginning");
  }
  return { changedMs: Number(changed), id };
}

/** As lists are sorted: by change, and of two at the same time the greater id first. */
function comesAfter({ changed, id }: SessionSummary, place: Place): boolean {
  const changedMs = changed.getTime();
  return changedMs < place.changedMs || (changedMs === place.changedMs && id < place.id);
}
