import { agent, MessageTooLargeError, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import type { OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import { failureOf } from "../failure.ts";
import { interruptionOf } from "../interruption.ts";
import { answeredStream } from "./answered_stream.ts";
import { editorBehind } from "./editor.ts";
import { EditorSessions } from "./editor_sessions.ts";
import { introduction } from "./introduction.ts";
import { authenticate, keyVariable } from "./key_method.ts";
import { offersOf } from "./offers.ts";
import { sessionOptions } from "./own_options.ts";
import { answerRequests } from "./requests.ts";

/** What serving an editor needs of the process. */
export interface EditorHost {
  readonly env: ReadVariable;
  /** Where the process was started, absolute. */
  readonly cwd: string;
  /** Takes lines for whoever looks for what went wrong. */
  readonly log: (line: string) => void;
}

/** The streams of an editor. */
export interface EditorStreams {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** An editor that is being served. */
export interface ServedEditor {
  /**
   * Resolves when it has left, or the signal was raised, and everything has ended; to what broke the
   * connection, where it is not that the editor left.
   */
  readonly ended: Promise<Error | undefined>;
  /** Has what runs ended without waiting for it. */
  abandon(): Promise<void>;
}

/**
 * Serves an editor over two streams, as an agent of the Agent Client Protocol, version 1. Nothing but
 * the protocol is written; once the signal is raised, the editor is served no longer.
 * @throws {UsageError} for options that have no place here.
 */
export function serveEditor(
  given: OptionValues,
  host: EditorHost,
  { readable, writable }: EditorStreams,
  signal: AbortSignal,
): ServedEditor {
  const options = sessionOptions(given, host.cwd);
  // Who has left answers nothing more; what they asked for before gets its answer all the same.
  const gone = new AbortController();
  const present = { offers: offersOf() };
  const app = agent({ name: "cordon" });
  answerRequests(app, { sessions: () => sessions, gone: gone.signal, log: host.log })
    .onRequest(methods.agent.initialize, ({ params }) => {
      present.offers = offersOf(params.clientCapabilities);
      return introduction(sessions.keeps, keyFor(options, host));
    })
    .onRequest(methods.agent.authenticate, ({ params }) => {
      authenticate(params.methodId, keyFor(options, host), host.env);
      return {};
    });
  const stream = answeredStream(ndJsonStream(writable, readable), () => gone.abort());
  const connection = app.connect(stream);
  const editor = editorBehind(connection.client, present, gone.signal);
  const sessions = new EditorSessions({ ...host, editor, options }, host.cwd);
  const stop = () => connection.close(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return { ended: untilEnd(), abandon: () => sessions.abandonAll() };

  async function untilEnd(): Promise<Error | undefined> {
    await connection.closed;
    gone.abort();
    await sessions.closeAll(interruptionOf(signal));
    const { reason } = connection.signal;
    return reason instanceof MessageTooLargeError ? reason : undefined;
  }
}

/** The variable of the key; a configuration that cannot be read is told with the first session. */
function keyFor(options: OptionValues, { env, cwd, log }: EditorHost): string | undefined {
  try {
    return keyVariable(options, env, cwd);
  } catch (error) {
    log(failureOf(error).message);
    return undefined;
  }
}
