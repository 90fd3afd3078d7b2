import type { OptionValues } from "../command_line/options.ts";
import { UsageError } from "../command_line/parse.ts";
import { keepsState, type Launch } from "../launch.ts";
import { forkPoints, forkSession } from "../session/fork.ts";
import { findSessionId } from "../find_session_id.ts";
import { findSession } from "../session/list.ts";
import { createSession, memorySession, openSession, type Session } from "../session/log.ts";
import { randomDigits } from "../session/session_id.ts";
import { VERSION } from "../version.ts";

/** A session, and what a person should know about it. */
export interface OpenedSession {
  readonly session: Session;
  /** Why no log is kept, where none is. */
  readonly unlogged?: string;
}

/** The session that started this one, and as what. */
export interface SessionOrigin {
  readonly parent: string;
  readonly role: string;
}

/**
 * Begins or resumes the session that the options ask for.
 * @throws {UsageError} where the session to go on with is not there, or not the only one.
 * @throws {SessionLogError} where its log cannot be used.
 */
export async function openSessionFor(
  options: OptionValues,
  launch: Launch,
  origin?: SessionOrigin,
): Promise<OpenedSession> {
  const common = {
    cwd: launch.places.workspace,
    version: VERSION,
    now: () => new Date(),
    random: randomDigits,
    ...(origin && { parent: origin.parent, child: { role: origin.role } }),
  };
  if (options.at !== undefined && !options.fork) {
    throw new UsageError("Cannot use --at without --fork: only a copy goes on from earlier");
  }
  const folder = launch.places.sessions;
  const resumes = options.continue || options.resume !== undefined;
  const why = noLogReason(options, launch);
  if (why !== undefined || folder === undefined) {
    if (resumes) throw new UsageError(`Cannot go on with a session: no log is kept (${why})`);
    return { session: memorySession(common), unlogged: why ?? "" };
  }
  if (!resumes) {
    if (options.fork) {
      throw new UsageError("Cannot fork: name the session by --resume or --continue");
    }
    return { session: await createSession({ folder, ...common }) };
  }
  const id = await findId(options.resume || undefined, folder, common.cwd);
  if (options.fork) {
    const upTo = await forkPoint(folder, id, options.at);
    return { session: await forkSession({ folder, id, ...upTo }, { folder, ...common }) };
  }
  return { session: await openSession({ folder, id, now: common.now }) };
}

function noLogReason(options: OptionValues, launch: Launch): string | undefined {
  const { places } = launch;
  if (options["no-session"]) return "--no-session";
  if (places.state === undefined) return "no folder for it is known: --state DIR";
  if (keepsState(launch)) return undefined;
  return `${places.state} may not be written: --allow-read and --allow-write of it`;
}

/** Just before the `at`th thing that a person said; the end where it is not given. */
async function forkPoint(
  folder: string,
  id: string,
  at: number | undefined,
): Promise<{ upTo?: string }> {
  if (at === undefined) return {};
  const points = await forkPoints(folder, id);
  const upTo = points[at - 1];
  if (upTo !== undefined) return { upTo };
  throw new UsageError(
    `Cannot fork at message ${at}: the session has ${points.length} of yours, see cordon export`,
  );
}

async function findId(part: string | undefined, folder: string, cwd: string): Promise<string> {
  if (part !== undefined) return await findSessionId(folder, part);
  const found = await findSession(folder, { cwd, latest: true });
  if (found.kind === "found") return found.id;
  throw new UsageError(`There is no session of "${cwd}" to go on with`);
}
