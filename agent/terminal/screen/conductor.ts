import type { Content } from "../../../tools/tool.ts";
import type { Agent } from "../../agent.ts";
import { attachImages } from "../../attachments.ts";
import { UsageError } from "../../command_line/parse.ts";
import type { AgentEvent } from "../../events.ts";
import { interruptedByPerson, type Interruption } from "../../interruption.ts";
import { cutToWidth } from "../render/columns.ts";
import { resultEvent } from "../result_event.ts";
import { visibleLine } from "../visible.ts";
import type { Desk, TaskRequest } from "../slash/desk.ts";
import type { Seat } from "../slash/seat.ts";
import type { Attention } from "./attention.ts";
import type { Board } from "./board.ts";
import { withEditor } from "./input.ts";
import { screenDesk } from "./screen_desk.ts";
import { changesStatus, StatusLine } from "./status.ts";
import { Work } from "./work.ts";
import { isEmpty, joined, type Written, writtenIn } from "./written.ts";

/** Something that a person sends, and what goes with it beside what they wrote. */
interface Item {
  readonly written: Written;
  readonly more: readonly Content[];
}

/** What a conductor works with. */
export interface ConductorParts {
  readonly board: Board;
  readonly attention: Attention;
  /** Absolute; where relative names of images are taken from. */
  readonly cwd: string;
  /** Ends the conversation. */
  readonly leave: () => void;
}

/** What becomes of what a person writes: a task, a word to the agent at work, or it waits. */
export class Conductor {
  readonly #board: Board;
  readonly #attention: Attention;
  readonly #cwd: string;
  readonly #leave: () => void;
  readonly #status = new StatusLine();
  readonly #work = new Work<Item>((item) => this.#handle(item), () => this.#tellWaiting());
  /** Somebody is there to do things, or nobody will be. */
  readonly #seated = Promise.withResolvers<void>();
  #seat: Seat | undefined;
  #desk: Desk | undefined;
  /** Told to the agent at work, which has not heard it yet. */
  #steering: readonly Written[] = [];

  constructor({ board, attention, cwd, leave }: ConductorParts) {
    this.#attention = attention;
    this.#board = board;
    this.#cwd = cwd;
    this.#leave = leave;
    board.status = (view) => this.#status.draw(view);
  }

  /** Rejects where the conversation cannot go on. */
  get failed(): Promise<never> {
    return this.#work.failed.promise;
  }

  /** Whether something is being done. */
  get isBusy(): boolean {
    return this.#work.isBusy;
  }

  /** Whether something waits that {@linkcode takeBack} would give. */
  get isWaiting(): boolean {
    return this.#work.queue.length > 0;
  }

  /** What commands act on; undefined before somebody is seated. */
  get desk(): Desk | undefined {
    return this.#desk;
  }

  /** The agent is there; what was sent before is done now. */
  seat(seat: Seat): void {
    this.#seat = seat;
    this.#desk = screenDesk({
      seat,
      board: this.#board,
      work: this.#work,
      submit: (request) => this.#takeTurn(seat, request),
      leave: this.#leave,
    });
    this.#seated.resolve();
    this.greetAgent(seat.agent);
  }

  /** Another agent has taken the seat. */
  greetAgent(agent: Agent): void {
    this.#status.update(agent);
    this.#attention.isWanted = agent.launch.configuration.config.notify ?? true;
    this.#board.update();
  }

  /** Does what was written, or tells it to the agent at work. */
  async send(written: Written, more: readonly Content[] = []): Promise<void> {
    if (isEmpty(written)) return;
    if (!this.isBusy || !this.#desk) return this.#work.add({ written, more });
    const { isForAnytime, handleLine } = await import("../slash/handle.ts");
    if (await isForAnytime(written.text, this.#desk)) {
      this.#board.printWritten(written);
      return await handleLine(written.text, this.#desk);
    }
    if (!await this.#steer(written, this.#desk)) this.queue(written);
  }

  /** Does it once all that was sent before has been done. */
  queue(written: Written): void {
    if (!isEmpty(written)) this.#work.add({ written, more: [] });
  }

  /** What waits and was sent last. */
  takeBack(): Written | undefined {
    return this.#work.takeBack()?.written;
  }

  /** Stops what runs; what waits comes back to the line. Whether there was something to stop. */
  stop(reason: Interruption = interruptedByPerson()): boolean {
    if (!this.#work.stop(reason)) return false;
    const waiting: Written[] = [];
    for (let item = this.takeBack(); item; item = this.takeBack()) waiting.unshift(item);
    this.#putBack(waiting);
    return true;
  }

  /** Takes in what happens in a run. */
  emit(event: AgentEvent): void {
    const [heard, ...rest] = event.type === "user" ? this.#steering : [];
    if (heard) {
      // It is shown as it was written, and not with all that it brought.
      this.#steering = rest;
      this.#board.printWritten(heard);
      this.#tellWaiting();
    } else this.#board.emit(event);
    if (this.#seat && changesStatus(event)) this.#status.update(this.#seat.agent);
  }

  /** Does no more, and ends the session once what runs has ended. */
  async close(): Promise<void> {
    this.#work.stop();
    this.#seated.resolve();
    await this.#work.close();
    await this.#seat?.close();
  }

  async #handle({ written, more }: Item): Promise<void> {
    await this.#seated.promise;
    const desk = this.#desk;
    if (!desk) return;
    this.#board.printWritten(written);
    const { handleLine } = await import("../slash/handle.ts");
    const images = await this.#attach(written, desk);
    if (images) {
      await handleLine(written.text, desk, { more: [...more, ...images], typed: written.typed });
    }
  }

  /** Undefined where an image cannot be had: then all of it comes back to the line. */
  async #attach(written: Written, { seat, warn }: Desk): Promise<Content[] | undefined> {
    try {
      return await attachImages(written.images, this.#cwd, seat.agent.session.blobs);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      warn(error.message);
      this.#putBack([written]);
      return undefined;
    }
  }

  /** Tells the agent at work; false where none can hear it now, as with commands. */
  async #steer(written: Written, desk: Desk): Promise<boolean> {
    if (isCommand(written.text)) return false;
    const { promptContent } = await import("../attach_mentions.ts");
    const images = await this.#attach(written, desk);
    if (!images) return true;
    const { agent } = desk.seat;
    const extras = { mentioned: written.typed, more: images };
    const content = await promptContent(written.text, agent, desk, extras);
    if (!agent.steer(content)) return false;
    this.#steering = [...this.#steering, written];
    this.#tellWaiting();
    return true;
  }

  async #takeTurn(seat: Seat, { content, tools }: TaskRequest): Promise<void> {
    using _busy = this.#board.activities.begin("Working");
    void this.#board.loadColors();
    const began = performance.now();
    this.#attention.begin();
    const { agent } = seat;
    const end = await this.#work.stoppable((signal) =>
      agent.task(content, signal, tools && { tools })
    );
    seat.lastReason = end.reason;
    this.#attention.end(end.reason.replaceAll("_", " "));
    this.emit(resultEvent(end, agent.usage(), began));
    this.#putBack(this.#steering);
    this.#steering = [];
    this.#tellWaiting();
  }

  /**
   * What was not done stands in the line again, before what is being written there. Commands do not:
   * what stands beside one would become a part of it, words for the model a line for the shell.
   */
  #putBack(written: readonly Written[]): void {
    if (written.length === 0) return;
    const { input, view: { style, width } } = this.#board;
    const present = writtenIn(input.editor);
    const texts = [...written, ...(isEmpty(present) ? [] : [present])].map(({ text }) => text);
    if (texts.length > 1 && texts.some(isCommand)) {
      for (const { text } of written) {
        const line = `not done, Up brings it back: ${visibleLine(text)}`;
        this.#board.print([style.dim(cutToWidth(line, width, style.unicode))]);
      }
      return;
    }
    this.#board.input = withEditor(
      input,
      joined([...written.map(({ editor }) => editor), input.editor]),
    );
    this.#board.update();
  }

  #tellWaiting(): void {
    this.#board.waiting = [
      ...this.#steering.map(({ text }) => `told: ${text}`),
      ...this.#work.queue.map(({ written }) => `waits: ${written.text}`),
    ];
    this.#board.update();
  }
}

/** Whether a line is no prompt, as far as its first characters tell. */
function isCommand(text: string): boolean {
  return /^[!/](?!\/)/.test(text);
}
