import type {
  AgentContext,
  ClientRequestMethod,
  ClientRequestParamsByMethod,
  ClientRequestResponsesByMethod,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { EditorOffers } from "./offers.ts";

/** The editor at the other end. */
export interface Editor {
  readonly offers: EditorOffers;
  /** Resolves when the update is written; what an editor that has left does not hear is no error. */
  tell(sessionId: string, update: SessionUpdate): Promise<void>;
  /**
   * Asks the editor, and waits no longer once the signal is raised or it has left.
   * @throws {Error} where it refuses, or does not answer any more.
   */
  ask<M extends ClientRequestMethod>(
    method: M,
    params: ClientRequestParamsByMethod[M],
    signal: AbortSignal,
  ): Promise<ClientRequestResponsesByMethod[M]>;
}

/**
 * The editor behind a connection. What it offers it says with its first message; `gone` is raised
 * when it will not answer any more.
 */
export function editorBehind(
  client: AgentContext,
  present: { readonly offers: EditorOffers },
  gone: AbortSignal,
): Editor {
  return {
    get offers() {
      return present.offers;
    },
    async tell(sessionId, update) {
      await client.notify("session/update", { sessionId, update }).catch(() => {});
    },
    ask: (method, params, signal) =>
      client.request(method, params, {
        cancellationSignal: AbortSignal.any([signal, gone]),
        stopWaitingOnCancel: true,
      }),
  };
}
