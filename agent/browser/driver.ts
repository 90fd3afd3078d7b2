import type { ActOptions, BrowserAction, BrowserStep } from "../../tools/browser/browser.ts";
import type { ChosenBrowser } from "./choose_browser.ts";
import type { BrowserGround } from "./ground.ts";
import { SavedStates, type StatesOf } from "./saved_states.ts";
import type { BrowserSession } from "./session.ts";

/** What a driver works with. */
export interface DriverParts {
  readonly chosen: ChosenBrowser;
  /** Whether something holds what it starts. */
  readonly confined: boolean;
  /** Makes what a browser runs on: a place of its own, and a way out. */
  readonly ground: () => Promise<BrowserGround>;
  /** Where logins are kept for later sessions; absent: nowhere. */
  readonly states?: StatesOf;
}

/** Has a browser while there is something to do in it, and another one where that was lost. */
export class BrowserDriver implements AsyncDisposable {
  readonly #parts: DriverParts;
  readonly #states: SavedStates;
  #session: BrowserSession | undefined;
  #disposed = false;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    this.#states = new SavedStates(parts.states);
  }

  get running(): boolean {
    return this.#session !== undefined && !this.#session.ended;
  }

  async act(action: BrowserAction, options: ActOptions): Promise<BrowserStep> {
    if (action.kind === "close") return await this.#close();
    const before = this.#session;
    // One that ended in between is lost like one that ends now.
    const step = before?.ended ? undefined : await this.#try(action, options);
    if (step && this.running) return step;
    options.signal.throwIfAborted();
    return await this.#again(action, options);
  }

  async #try(action: BrowserAction, options: ActOptions): Promise<BrowserStep> {
    this.#session ??= await this.#start();
    return await this.#session.act(action, options);
  }

  /** The one retry: the action, where it needs nothing of what was lost, else the page it was on. */
  async #again(action: BrowserAction, options: ActOptions): Promise<BrowserStep> {
    const url = this.#session?.url;
    await this.#end();
    const session = this.#session = await this.#start();
    const restarted = { kind: "restarted" } as const;
    if (standsAlone(action)) {
      const step = await session.act(action, options);
      return { ...step, events: [restarted, ...step.events] };
    }
    const step: BrowserStep = url === undefined || !/^https?:/.test(url)
      ? { tabs: [], events: [] }
      : await session.act({ kind: "open", url }, options);
    const message = `Cannot ${action.kind}: the browser had ended, look at the page as it is now`;
    return {
      ...step,
      refusal: step.refusal ?? { reason: "lost", message },
      events: [restarted, ...step.events],
    };
  }

  async #start(): Promise<BrowserSession> {
    if (this.#disposed) throw new Error("Cannot start a browser: the session ends");
    const { chosen, ground } = this.#parts;
    if (chosen.kind === "text") {
      const { TextSession } = await import("./text_session.ts");
      return new TextSession(await ground());
    }
    const { startChromium } = await import("./launch.ts");
    return await startChromium(chosen, ground, this.#states);
  }

  async #close(): Promise<BrowserStep> {
    await this.#end();
    return { tabs: [], events: [] };
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    await this.#end();
  }
}

function standsAlone({ kind }: BrowserAction): boolean {
  return kind === "open" || kind === "new_tab" || kind === "peek" || kind === "tabs" ||
    kind === "load_state";
}
