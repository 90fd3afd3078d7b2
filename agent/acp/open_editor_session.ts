import { bashTool } from "../../tools/bash.ts";
import type { Agent } from "../agent.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import { checkStart, startAgent } from "../start.ts";
import type { Audience } from "../start/audience.ts";
import { Seat } from "../terminal/slash/seat.ts";
import { waitingForTrust } from "../terminal/waiting_for_trust.ts";
import { warnedOnce } from "../terminal/warned_once.ts";
import type { CallNames } from "./call_updates.ts";
import type { Editor } from "./editor.ts";
import { EditorSession } from "./editor_session.ts";
import { EventTeller } from "./event_teller.ts";
import { personByForm } from "./form.ts";
import { editorPath, type FolderNames } from "./path_names.ts";
import { editorApprover } from "./permission.ts";
import { SessionVoice } from "./session_voice.ts";

/** What every session of a connection works with. */
export interface SessionWorld {
  readonly editor: Editor;
  /** Those of the process; names in them are absolute. */
  readonly options: OptionValues;
  readonly env: ReadVariable;
  /** Takes lines for whoever looks for what went wrong. */
  readonly log: (line: string) => void;
}

/** Which session an editor wants. */
export interface SessionWish {
  /** Absolute, as the editor calls it. */
  readonly cwd: string;
  /** The one to go on with; absent: a new one. */
  readonly resume?: string;
}

/**
 * Opens a session for an editor, with an agent of its own. It says nothing before it is told to begin.
 * @throws what {@linkcode startAgent} does.
 */
export async function openEditorSession(
  { cwd, resume }: SessionWish,
  { editor, options, env, log }: SessionWorld,
): Promise<EditorSession> {
  const voice = new SessionVoice(editor, log);
  const present: { agent?: Agent } = {};
  const names = callNames(cwd, present);
  const teller = new EventTeller(voice, names);
  const approve = editorApprover({ voice, calls: teller.calls, names });
  const audience: Audience = {
    emit: (event) => teller.take(event),
    note: warnedOnce((line) => voice.note(line)),
    alarm: (line) => voice.warn(line),
    approve,
    interactive: true,
    asksLater: true,
    ...(editor.offers.forms && { person: personByForm(voice) }),
  };
  const starter = {
    check: (asked: OptionValues) => checkStart(asked, env, cwd),
    start: (asked: OptionValues) => startAgent(asked, env, cwd, audience),
  };
  const asked = { ...options, ...(resume !== undefined && { resume }) };
  const seat = await Seat.take(starter, asked, (agent) => present.agent = agent);
  const waiting = await waitingForTrust(seat.agent.launch, true);
  if (waiting !== undefined) audience.note(`warning: ${waiting}`);
  const folder = foldersOf(cwd, seat.agent);
  return new EditorSession({ seat, voice, teller, approve, folder, names, log });
}

/** Paths as the agent has them, which takes its place later; relative ones are those of its shell. */
function callNames(given: string, present: { readonly agent?: Agent }): CallNames {
  function cwd(): string {
    const { agent } = present;
    return agent?.session.conversation.latest(bashTool())?.cwd ?? agent?.started.cwd ?? given;
  }
  return {
    cwd,
    path(path) {
      const { agent } = present;
      return editorPath(path, cwd(), agent ? foldersOf(given, agent) : { given, real: given });
    },
  };
}

function foldersOf(given: string, { started }: Agent): FolderNames {
  return { given, real: started.cwd };
}
