import { isAbsolute } from "node:path";
import {
  type ListSessionsRequest,
  type ListSessionsResponse,
  type NewSessionRequest,
  RequestError,
} from "@agentclientprotocol/sdk";
import { isOfSystem } from "../../sandbox/files/system_errors.ts";
import type { Interruption } from "../interruption.ts";
import { findKeeping } from "../places.ts";
import { summarise } from "../session/list.ts";
import { SessionLogError } from "../session/error.ts";
import type { EditorSession } from "./editor_session.ts";
import { openEditorSession, type SessionWish, type SessionWorld } from "./open_editor_session.ts";
import { refusedRequest } from "./request_errors.ts";
import { sessionPage } from "./session_list.ts";

/** What an editor says of a session that it opens. */
export type SessionRequest = Pick<NewSessionRequest, "cwd" | "additionalDirectories"> & {
  readonly mcpServers?: NewSessionRequest["mcpServers"];
};

/** The sessions that an editor has open, each with an agent in a folder of its own. */
export class EditorSessions {
  readonly #world: SessionWorld;
  readonly #cwd: string;
  readonly #open = new Map<string, EditorSession>();
  /** Sessions on their way in or out: whoever ends the process has to wait for them. */
  readonly #moving = new Set<Promise<unknown>>();
  #ended: Interruption | undefined;

  /** `cwd`: where the process was started. */
  constructor(world: SessionWorld, cwd: string) {
    this.#world = world;
    this.#cwd = cwd;
  }

  /** Whether sessions are kept, so that one can be listed and loaded. */
  get keeps(): boolean {
    return this.#folder !== undefined;
  }

  /** Opens a new session. @throws what {@linkcode openEditorSession} does. */
  async create(request: SessionRequest): Promise<EditorSession> {
    return await this.#start(request, undefined);
  }

  /**
   * Goes on with a session; one that is open already is opened anew.
   * @throws {RequestError} where there is none, or it belongs to another folder, or it works.
   */
  async resume(id: string, request: SessionRequest): Promise<EditorSession> {
    const workspace = await realPathOf(checkedFolder(request));
    const summary = await this.#summary(id);
    if (!summary) throw RequestError.sessionNotFound(id);
    if (summary.cwd !== workspace) {
      throw refusedRequest(
        `Cannot load session ${id} in ${request.cwd}: it is one of ${summary.cwd}`,
      );
    }
    const open = this.#open.get(id);
    if (open?.works) throw refusedRequest(`Cannot load session ${id}: it works on something`);
    if (open) await this.close(id);
    return await this.#start(request, id);
  }

  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const folder = this.#folder;
    if (folder === undefined) return { sessions: [] };
    const workspace = cwd ? await realPathOf(checkedFolder({ cwd })) : undefined;
    return await sessionPage(folder, workspace, cursor ?? undefined);
  }

  /** @throws {RequestError} where it is not open. */
  get(id: string): EditorSession {
    const session = this.#open.get(id);
    if (session) return session;
    throw RequestError.sessionNotFound(id);
  }

  /** Stops what a session does; of one that is not open nothing is to be stopped. */
  stop(id: string): void {
    this.#open.get(id)?.stop();
  }

  /** Stops what every session does. */
  stopAll(reason?: Interruption): void {
    for (const session of this.#open.values()) session.stop(reason);
  }

  /** @throws {RequestError} where it is not open. */
  async close(id: string): Promise<void> {
    const session = this.get(id);
    this.#open.delete(id);
    await this.#move(session.close());
  }

  /** Ends every session, also those that are being opened; waits for those that end already. */
  async closeAll(reason: Interruption): Promise<void> {
    this.#ended = reason;
    const ended = await Promise.allSettled([
      ...[...this.#open.values()].map((session) => session.close(reason)),
      ...this.#moving,
    ]);
    for (const one of ended) if (one.status === "rejected") this.#world.log(String(one.reason));
  }

  /** Has what runs ended without waiting for it. */
  async abandonAll(): Promise<void> {
    await Promise.all([...this.#open.values()].map((session) => session.abandon()));
  }

  get #folder(): string | undefined {
    const { options, env } = this.#world;
    return options["no-session"] ? undefined : findKeeping(options, env, this.#cwd).sessions;
  }

  async #start(request: SessionRequest, resume: string | undefined): Promise<EditorSession> {
    const wish = {
      cwd: checkedFolder(request),
      servers: request.mcpServers ?? [],
      ...(resume !== undefined && { resume }),
    };
    return await this.#move(this.#take(wish));
  }

  async #move<T>(moving: Promise<T>): Promise<T> {
    this.#moving.add(moving);
    try {
      return await moving;
    } finally {
      this.#moving.delete(moving);
    }
  }

  async #take(wish: SessionWish): Promise<EditorSession> {
    const session = await openEditorSession(wish, this.#world);
    if (this.#ended) {
      await session.close(this.#ended);
      throw refusedRequest("Cannot open a session: the editor has left");
    }
    this.#open.set(session.id, session);
    return session;
  }

  /** Undefined where no log of it can be found; those of sub-agents are not for people. */
  async #summary(id: string) {
    const folder = this.#folder;
    if (folder === undefined) return undefined;
    try {
      const summary = await summarise(folder, id);
      return summary?.child ? undefined : summary;
    } catch (error) {
      if (error instanceof SessionLogError && error.kind === "missing") return undefined;
      throw error;
    }
  }
}

/** Of a folder that is gone, or that this process may not look at, its own name. */
async function realPathOf(folder: string): Promise<string> {
  try {
    return await Deno.realPath(folder);
  } catch (error) {
    if (isOfSystem(error) || error instanceof Deno.errors.NotCapable) return folder;
    throw error;
  }
}

/** The folder of a request. @throws {RequestError} for one that cannot be taken. */
function checkedFolder({ cwd, additionalDirectories = [] }: SessionRequest): string {
  if (!isAbsolute(cwd)) throw refusedRequest(`Cannot work in "${cwd}": the path is not absolute`);
  if (additionalDirectories.length === 0) return cwd;
  throw refusedRequest(
    "Cannot open a session in several folders: start cordon acp with --allow-read and --allow-write of the others",
  );
}
