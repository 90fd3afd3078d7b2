import type { McpServer as BroughtServer } from "@agentclientprotocol/sdk";
import { bashTool } from "../../tools/bash.ts";
import type { Agent } from "../agent.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import { realClock } from "../model/real_clock.ts";
import { checkStart, startAgent } from "../start.ts";
import type { Audience } from "../start/audience.ts";
import { Seat } from "../terminal/slash/seat.ts";
import { waitingForTrust } from "../terminal/waiting_for_trust.ts";
import { warnedOnce } from "../terminal/warned_once.ts";
import type { CallNames } from "./call_updates.ts";
import type { Editor } from "./editor.ts";
import { EditorSession } from "./editor_session.ts";
import { broughtServers } from "./brought_servers.ts";
import { EditorBuffers } from "./editor_buffers.ts";
import { editorFiles } from "./editor_files.ts";
import { EventTeller } from "./event_teller.ts";
import { personByForm } from "./form.ts";
import { editorPath, type FolderNames } from "./path_names.ts";
import { editorApprover } from "./permission.ts";
import { refusedRequest } from "./request_errors.ts";
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
  /** MCP servers that it brings along. */
  readonly servers: readonly BroughtServer[];
}

/**
 * Opens a session for an editor, with an agent of its own. It says nothing before it is told to begin.
 * @throws what {@linkcode startAgent} does, and `RequestError` where the process may not
 * reach the folder.
 */
export async function openEditorSession(
  { cwd, resume, servers: wished }: SessionWish,
  { editor, options, env, log }: SessionWorld,
): Promise<EditorSession> {
  const voice = new SessionVoice(editor, log, crypto.randomUUID().slice(0, 8));
  const present: { agent?: Agent; session?: EditorSession } = {};
  const folder = () => present.agent ? foldersOf(cwd, present.agent) : { given: cwd, real: cwd };
  const names = callNames(folder, present);
  const teller = new EventTeller(voice, names);
  const approve = editorApprover({ voice, calls: teller.calls, names });
  const { servers, warnings } = broughtServers(wished);
  const turn = () => present.session?.signal;
  const buffers = new EditorBuffers({ voice, folder, turn, clock: realClock() });
  const audience: Audience = {
    emit: (event) => teller.take(event),
    note: warnedOnce((line) => voice.note(line)),
    alarm: (line) => voice.warn(line),
    approve,
    interactive: true,
    asksLater: true,
    servers,
    ...(editor.offers.forms && { person: personByForm(voice) }),
    ...(editor.offers.readTextFile && {
      fileLayer: (files, signal) => editorFiles(files, buffers, signal),
    }),
  };
  const starter = {
    check: (asked: OptionValues) => checkStart(asked, env, cwd),
    start: (asked: OptionValues) => startAgent(asked, env, cwd, audience),
  };
  const asked = { ...options, ...(resume !== undefined && { resume }) };
  const seat = await Seat.take(starter, asked, (agent) => present.agent = agent);
  try {
    refuseUnreachable(seat.agent);
    const waiting = await waitingForTrust(seat.agent.launch, true);
    if (waiting !== undefined) audience.note(`warning: ${waiting}`);
  } catch (error) {
    await seat.close();
    throw error;
  }
  warnings.forEach((line) => audience.note(line));
  const parts = { seat, voice, teller, approve, folder: folder(), names, log };
  return present.session = new EditorSession(parts);
}

/** Rights are those of the process, which knew nothing of the folders that its editor would name. */
function refuseUnreachable({ enclosure: { view, rights } }: Agent): void {
  const { grants, workspace } = rights;
  if (view !== undefined || grants.allows("read", workspace)) return;
  throw refusedRequest(
    `Cannot work in "${workspace}": this process may not read it, start cordon acp with --allow-read=${workspace}`,
  );
}

/** Paths as the agent has them, which takes its place later; relative ones are those of its shell. */
function callNames(
  folder: () => FolderNames,
  present: { readonly agent?: Agent },
): CallNames {
  function cwd(): string {
    const conversation = present.agent?.session.conversation;
    return conversation?.latest(bashTool())?.cwd ?? folder().real;
  }
  return { cwd, path: (path) => editorPath(path, cwd(), folder()) };
}

function foldersOf(given: string, { started }: Agent): FolderNames {
  return { given, real: started.cwd };
}
