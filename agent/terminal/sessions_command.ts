import type { OptionValues } from "../command_line/options.ts";
import { type Invocation, UsageError } from "../command_line/parse.ts";
import { findSessionId } from "../find_session_id.ts";
import { findPlaces, type Places } from "../places.ts";
import { deleteSession } from "../session/delete.ts";
import { openBesideTasks } from "../session/beside_tasks.ts";
import { SessionLogError } from "../session/error.ts";
import { type SessionList, summarise, surveySessions } from "../session/list.ts";
import { confirm } from "./confirm.ts";
import type { Host } from "./headless.ts";
import { printable } from "./output.ts";
import { sessionName } from "./session_name.ts";
import { sessionsReport, unreadableReport } from "./reports.ts";

const NO_SESSIONS: SessionList = { sessions: [], unreadable: [] };

/**
 * `cordon sessions`: lists them, or renames or deletes one; the words for stdout.
 * @throws {UsageError}
 * @throws {SessionLogError} where another process has the session open, or its log cannot be used.
 */
export async function runSessions({ options, operands }: Invocation, host: Host): Promise<string> {
  const places = findPlaces(options, host.env, host.cwd);
  const [verb, part, ...words] = operands;
  if (verb === undefined) return await list(places, options);
  if (verb !== "rename" && verb !== "delete") {
    throw new UsageError(`Cannot "${verb}" sessions: there are rename ID NAME, and delete ID`);
  }
  if (part === undefined) throw new UsageError(`Cannot ${verb} a session: name it by its id`);
  const id = await findSessionId(sessionsFolder(places, part), part);
  const folder = sessionsFolder(places, part);
  if (verb === "rename") return await rename(folder, id, words);
  if (words.length > 0) throw new UsageError("Cannot delete more than one session at a time");
  return await remove(folder, id, options, host);
}

async function list({ sessions, workspace }: Places, options: OptionValues): Promise<string> {
  const { all = false, "output-format": format = "text" } = options;
  const kept = sessions === undefined ? NO_SESSIONS : await surveySessions(sessions);
  const found = all ? kept.sessions : kept.sessions.filter(({ cwd }) => cwd === workspace);
  // Of which folder a log was that cannot be read is not known.
  const { unreadable } = kept;
  if (format === "text") return sessionsReport(found, all) + unreadableReport(unreadable);
  const rows = found.map(({ firstPrompt, endReason, ...session }) => ({
    ...session,
    ...(firstPrompt !== undefined && { first_prompt: firstPrompt }),
    ...(endReason !== undefined && { end_reason: endReason }),
  }));
  return `${JSON.stringify({ type: "sessions", sessions: rows, unreadable })}\n`;
}

async function rename(folder: string, id: string, words: readonly string[]): Promise<string> {
  if (words.length === 0) {
    throw new UsageError(`Cannot rename "${id}": give a name ("" takes it away)`);
  }
  const name = sessionName(words.join(" "), id);
  await using opened = await openBesideTasks(folder, id);
  await opened.session.append({ type: "name", name });
  return name === "" ? `${id} has no name now\n` : `${id} is now "${name}"\n`;
}

async function remove(
  folder: string,
  id: string,
  { yes }: OptionValues,
  host: Host,
): Promise<string> {
  const { firstPrompt = "nothing that can be read", name } = await summaryIfReadable(folder, id) ??
    {};
  const what = `${name ?? id}: ${printable(firstPrompt).slice(0, 60)}`;
  if (!yes && !host.stdin.isTerminal) {
    throw new UsageError(`Cannot delete "${id}": nobody can be asked here, say --yes`);
  }
  if (!yes) {
    if (!await confirm(`Delete session ${what} for good?`, host)) return `${id} is kept\n`;
  }
  for (const child of await childrenOf(folder, id)) await deleteSession(folder, child);
  await deleteSession(folder, id);
  return `${id} is deleted\n`;
}

/** The sessions of a session's sub-agents, the deepest first: without it nobody would find them. */
async function childrenOf(folder: string, id: string): Promise<string[]> {
  const { sessions } = await surveySessions(folder);
  const below = (parent: string): string[] =>
    sessions.filter(({ child }) => child?.parent === parent)
      .flatMap((session) => [...below(session.id), session.id]);
  return below(id);
}

/** Undefined for a log that cannot be opened, too: it can be deleted all the same. */
async function summaryIfReadable(folder: string, id: string) {
  try {
    return await summarise(folder, id);
  } catch (error) {
    if (error instanceof SessionLogError && error.kind === "unreadable") return undefined;
    throw error;
  }
}

function sessionsFolder({ sessions }: Places, part: string): string {
  if (sessions !== undefined) return sessions;
  throw new UsageError(`There is no session "${part}": no folder for them is known`);
}
