import type {
  ContentBlock,
  PromptResponse,
  SessionModeState,
  StopReason,
} from "@agentclientprotocol/sdk";
import type { Content } from "../../tools/tool.ts";
import type { Agent } from "../agent.ts";
import { UsageError } from "../command_line/parse.ts";
import type { Approver } from "../gate/approver.ts";
import { interruptedByPerson, type Interruption } from "../interruption.ts";
import { readLogFile } from "../session/log.ts";
import type { TaskEnd } from "../loop/loop.ts";
import { promptContent } from "../terminal/attach_mentions.ts";
import type { Desk, TaskRequest } from "../terminal/slash/desk.ts";
import { exchange } from "../terminal/slash/exchange.ts";
import type { Seat } from "../terminal/slash/seat.ts";
import type { CallNames } from "./call_updates.ts";
import { wantedOf } from "./commands.ts";
import { editorDesk } from "./editor_desk.ts";
import type { EventTeller } from "./event_teller.ts";
import { historyOf, type HistoryParts } from "./history.ts";
import { type Mode, modeOf, modeState, modesUpTo, type Standing, widensStanding } from "./modes.ts";
import { OneAtATime } from "./one_at_a_time.ts";
import type { FolderNames } from "./path_names.ts";
import { readPrompt, type SaidInEditor } from "./prompt_content.ts";
import { refusedRequest, requestErrorOf } from "./request_errors.ts";
import { SessionNews } from "./session_news.ts";
import type { SessionVoice } from "./session_voice.ts";
import { endText, stopReasonOf } from "./stop_reason.ts";

/** What a session in an editor is made of. */
export interface EditorSessionParts {
  readonly seat: Seat;
  readonly voice: SessionVoice;
  readonly teller: EventTeller;
  readonly approve: Approver;
  readonly folder: FolderNames;
  readonly names: CallNames;
  readonly log: (line: string) => void;
}

/** A session that an editor opened. */
export class EditorSession {
  readonly #parts: EditorSessionParts;
  readonly #modes: readonly Mode[];
  readonly #news: SessionNews;
  readonly #work = new OneAtATime();
  #closed = false;

  constructor(parts: EditorSessionParts) {
    this.#parts = parts;
    this.#modes = modesUpTo(standingOf(parts.seat.agent));
    this.#news = new SessionNews(parts.voice);
  }

  get id(): string {
    return this.#agent.session.id;
  }

  get modes(): SessionModeState {
    return modeState(this.#modes, standingOf(this.#agent));
  }

  /** The editor knows the session now: it is told what it can do there. */
  async begin(): Promise<void> {
    this.#parts.voice.begin(this.id);
    await this.#tellNews();
  }

  /** Goes through all that was said and done so far; `tells`: the editor, which else knows it already. */
  async recall(tells: boolean): Promise<void> {
    const { voice, teller, names } = this.#parts;
    const { path, blobs } = this.#agent.session;
    if (path === undefined) return;
    const parts: HistoryParts = {
      names,
      newId: (wish) => teller.calls.newId(wish),
      load: (name) => tells ? blobs.load(name) : Promise.resolve(undefined),
    };
    const log = await readLogFile(path);
    // A long past is told as fast as the editor reads it.
    for await (const update of historyOf(log, parts)) if (tells) await voice.tell(update);
  }

  /**
   * Does what a person said; once `request` is raised, or the session is told to stop, the answer is
   * `cancelled`.
   * @throws {RequestError}
   */
  async prompt(blocks: readonly ContentBlock[], request: AbortSignal): Promise<PromptResponse> {
    return await this.#one("works on a prompt", request, async (signal) => {
      try {
        const stopReason = await this.#answer(blocks, signal);
        await this.#tellNews();
        return { stopReason: signal.aborted ? "cancelled" : stopReason };
      } catch (error) {
        const refused = requestErrorOf(error, this.#parts.log);
        if (!signal.aborted) throw refused;
        return { stopReason: "cancelled" };
      }
    });
  }

  /**
   * Goes on in another mode; what lets more happen is asked first.
   * @throws {RequestError} where there is no such mode, or the person says no.
   */
  async setMode(id: string, request: AbortSignal): Promise<void> {
    const mode = this.#modes.find((one) => one.id === id);
    if (!mode) throw refusedRequest(`There is no mode "${id}" here`);
    await this.#one("changes its mode", request, async (signal) => {
      const before = standingOf(this.#agent);
      if (modeOf(this.#modes, before) === id) return;
      const desk = this.#desk(signal);
      const question = `Let more happen unasked, in mode ${mode.name} (${mode.description})?`;
      if (widensStanding(before, mode.standing) && !await desk.confirm(question)) {
        throw refusedRequest(`The mode stays "${modeOf(this.#modes, before)}": nobody said yes`);
      }
      let problem = `The mode stays "${modeOf(this.#modes, before)}": jobs run that were to go on`;
      const change = { kind: "settings", options: mode.standing } as const;
      const changed = await exchange({ ...desk, warn: (line) => problem = line }, change);
      if (!changed) throw refusedRequest(problem);
    });
  }

  /** Whether it does something now. */
  get works(): boolean {
    return this.#work.isBusy;
  }

  /** Raised when what it does now is told to stop; undefined where it does nothing. */
  get signal(): AbortSignal | undefined {
    return this.#work.signal;
  }

  /** Stops what the session does now. */
  stop(reason: Interruption = interruptedByPerson()): void {
    this.#work.stop(reason);
  }

  /** Stops, and lets go of everything; a second call does nothing. */
  async close(reason: Interruption = interruptedByPerson()): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#work.stop(reason);
    await this.#work.settled;
    await this.#parts.seat.close();
  }

  /** Has what runs ended without waiting for it. */
  async abandon(): Promise<void> {
    await this.#agent.abandon();
  }

  get #agent(): Agent {
    return this.#parts.seat.agent;
  }

  /** Does one thing, where the session still goes on. */
  async #one<T>(
    what: string,
    request: AbortSignal,
    act: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const ended = this.#closed || this.#parts.seat.isEmpty;
    if (ended) throw refusedRequest("This session has ended: load it again");
    // Whoever asks for something knows the session, and can be asked in turn.
    this.#parts.voice.begin(this.id);
    return await this.#work.run(what, request, act);
  }

  async #answer(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason> {
    const { teller, voice, folder } = this.#parts;
    teller.beginTurn();
    let reason: StopReason = "end_turn";
    const desk = this.#desk(signal, async (request) => {
      const end = await this.#task(request, signal);
      reason = stopReasonOf(end, teller.error);
      const text = signal.aborted ? undefined : endText(end, teller.error);
      if (text !== undefined) voice.warn(text);
    });
    const said = await readPrompt(blocks, folder, this.#agent.session.blobs);
    try {
      const wanted = await wantedOf(said, desk);
      if (signal.aborted) return "cancelled";
      if (wanted.kind === "command") await wanted.run();
      else await desk.submit({ content: await this.#content(wanted.words, said, desk) });
    } catch (error) {
      // A command that cannot be given is told as its answer.
      if (!(error instanceof UsageError)) throw error;
      voice.say(error.message);
    }
    return reason;
  }

  /** What the editor's person mentioned was resolved by the editor. */
  #content(words: string, { more }: SaidInEditor, desk: Desk): Promise<Content[]> {
    return promptContent(words, this.#agent, desk, { mentioned: "", more });
  }

  async #task({ content, tools }: TaskRequest, signal: AbortSignal): Promise<TaskEnd> {
    const { seat, teller } = this.#parts;
    const end = await seat.agent.task(content, signal, tools && { tools });
    seat.lastReason = end.reason;
    teller.tellUsage(seat.agent);
    return end;
  }

  #desk(signal: AbortSignal, submit: Desk["submit"] = () => Promise.resolve()): Desk {
    const { seat, voice, approve } = this.#parts;
    return editorDesk({ seat, voice, approve, signal, submit });
  }

  async #tellNews(): Promise<void> {
    await this.#news.tell(this.#desk(new AbortController().signal));
  }
}

function standingOf({ enclosure, launch }: Agent): Standing {
  const { profile } = enclosure.rights.confinement;
  return { profile, approval: launch.settings.approval };
}
