import { type AgentApp, methods } from "@agentclientprotocol/sdk";
import type { EditorSession } from "./editor_session.ts";
import type { EditorSessions, SessionRequest } from "./editor_sessions.ts";
import { requestErrorOf } from "./request_errors.ts";

/** What requests about sessions are answered with. */
export interface RequestParts {
  /** Asked for with each request, when there is one. */
  readonly sessions: () => EditorSessions;
  /** Raised when the editor has left: what it asked for before is given up. */
  readonly gone: AbortSignal;
  readonly log: (line: string) => void;
}

/** Has an app answer what editors ask of sessions. */
export function answerRequests(app: AgentApp, parts: RequestParts): AgentApp {
  const { gone, log } = parts;
  const { session } = methods.agent;
  const of = (id: string) => parts.sessions().get(id);
  return app
    .onRequest(
      session.prompt,
      ({ params, signal }) =>
        answer(() => of(params.sessionId).prompt(params.prompt, AbortSignal.any([signal, gone]))),
    )
    .onRequest(session.setMode, ({ params, signal }) =>
      answer(async () => {
        await of(params.sessionId).setMode(params.modeId, AbortSignal.any([signal, gone]));
        return {};
      }))
    .onRequest(session.new, ({ params }) =>
      answer(async () => {
        const opened = await parts.sessions().create(params);
        begin(opened);
        return { sessionId: opened.id, modes: opened.modes };
      }))
    .onRequest(session.load, ({ params: { sessionId, ...request } }) =>
      answer(async () => {
        const opened = await resumed(sessionId, request);
        await opened.begin();
        await opened.recall(true);
        return { modes: opened.modes };
      }))
    .onRequest(session.resume, ({ params: { sessionId, ...request } }) =>
      answer(async () => {
        const opened = await resumed(sessionId, request);
        // Ids that the editor has seen are not given again.
        await opened.recall(false);
        begin(opened);
        return { modes: opened.modes };
      }))
    .onRequest(session.list, ({ params }) => answer(() => parts.sessions().list(params)))
    .onRequest(session.close, ({ params }) =>
      answer(async () => {
        await parts.sessions().close(params.sessionId);
        return {};
      }))
    .onNotification(session.cancel, ({ params }) => parts.sessions().stop(params.sessionId));

  async function answer<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw requestErrorOf(error, log);
    }
  }

  function resumed(id: string, request: SessionRequest): Promise<EditorSession> {
    return parts.sessions().resume(id, request);
  }

  /** An editor knows a session from the answer on: what is told of it comes after that. */
  function begin(opened: EditorSession): void {
    setTimeout(() => opened.begin().catch((error) => log(String(error))));
  }
}
