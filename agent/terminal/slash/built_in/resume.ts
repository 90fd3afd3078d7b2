import { UsageError } from "../../../command_line/parse.ts";
import { findSession, listSessions, type SessionSummary } from "../../../session/list.ts";
import { printable } from "../../output.ts";
import type { SlashCommand } from "../command.ts";
import type { Choice, Desk } from "../desk.ts";
import { exchange } from "../exchange.ts";
import { recap } from "../recap.ts";

/** Sessions that are shown to choose from, at the most. */
const MAX_CHOICES = 20;

/** `/resume [PART]`: goes on with another session of this folder, or with any by its name or id. */
export const resumeCommand: SlashCommand = {
  name: "resume",
  hint: "[PART]",
  description: "go on with another session, by a part of its name or id",
  origin: "built-in",
  async arguments(desk) {
    const { sessions: folder } = desk.seat.agent.launch.places;
    if (folder === undefined) return [];
    return (await others(folder, desk)).flatMap((session) => {
      const byId = { ...choiceOf(session), label: session.id };
      return session.name === undefined ? [byId] : [choiceOf(session), byId];
    });
  },
  async run(part, desk) {
    const { agent } = desk.seat;
    const { sessions: folder } = agent.launch.places;
    if (folder === undefined || agent.session.path === undefined) {
      throw new UsageError("Cannot resume a session: no log is kept here");
    }
    const id = part === "" ? await chosen(await others(folder, desk), desk) : await found(part);
    if (id === undefined) return;
    if (id === agent.session.id) return desk.say("That session is this one");
    if (await exchange(desk, { kind: "resume", id })) recap(desk);

    async function found(part: string): Promise<string | undefined> {
      const found = await findSession(folder ?? "", { part });
      switch (found.kind) {
        case "found":
          return found.id;
        case "ambiguous": {
          const ids = new Set(found.sessions.map(({ id }) => id));
          const sessions = await listSessions(folder ?? "");
          return await chosen(sessions.filter(({ id }) => ids.has(id)), desk);
        }
        case "none":
          throw new UsageError(`There is no session "${part}"; /resume lists those of this folder`);
      }
    }
  },
};

/** The other sessions of this folder in which something was said. */
async function others(folder: string, { seat: { agent } }: Desk): Promise<SessionSummary[]> {
  const sessions = await listSessions(folder);
  return sessions.filter(({ id, cwd, firstPrompt }) =>
    id !== agent.session.id && cwd === agent.started.cwd && firstPrompt !== undefined
  );
}

async function chosen(
  sessions: readonly SessionSummary[],
  desk: Desk,
): Promise<string | undefined> {
  if (sessions.length === 0) return void desk.say("There is no other session of this folder");
  const shown = sessions.slice(0, MAX_CHOICES);
  const index = await desk.choose("Which session?", shown.map(choiceOf));
  return index === undefined ? undefined : shown[index]?.id;
}

function choiceOf({ id, name, changed, firstPrompt = "" }: SessionSummary): Choice {
  const when = changed.toISOString().slice(0, 16).replace("T", " ");
  return { label: name ?? id, description: `${when}  ${printable(firstPrompt).slice(0, 60)}` };
}
