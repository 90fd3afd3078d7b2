import type { Browser, BrowserContext } from "playwright-core";
import type {
  ActOptions,
  BrowserAction,
  BrowserStep,
  PageView,
} from "../../tools/browser/browser.ts";
import type { Downloads } from "./downloads.ts";
import type { HostRefusal } from "./ground.ts";
import { refusedEvents, unreachedPage } from "./host_refusals.ts";
import { inTime } from "./in_time.ts";
import { viewOf } from "./page_view.ts";
import { peekAt } from "./peek.ts";
import { perform, type Performed } from "./perform.ts";
import { ActionRefused, refusalOf } from "./refusals.ts";
import type { SavedStates } from "./saved_states.ts";
import type { BrowserSession } from "./session.ts";
import { settle } from "./settle.ts";
import type { Tab } from "./tab.ts";
import { Tabs } from "./tabs.ts";

/** What a session is made of. */
export interface ChromiumParts {
  readonly browser: Browser;
  /** The tabs that it begins with; of a person's own browser theirs. */
  readonly context: BrowserContext;
  /** Makes a context like the first one, with what was saved; absent: there is only this one. */
  readonly newContext?: (state: string) => Promise<BrowserContext>;
  /** Absent: they are the person's, as in any browser. */
  readonly downloads?: Downloads;
  readonly states: SavedStates;
  beginStep(): void;
  takeRefusals(): readonly HostRefusal[];
  /** Ends the browser, or lets go of it. */
  end(): Promise<void>;
}

/** How long a page may take to tell what is on it, in milliseconds. */
const LOOK_MS = 10_000;

/** The same once an action has run into its limit: then the page most likely hangs. */
const LATE_LOOK_MS = 2_000;

/** A browser of Chromium's family that is driven. */
export class ChromiumSession implements BrowserSession {
  readonly #parts: ChromiumParts;
  #context: BrowserContext;
  readonly #tabs: Tabs;
  /** Of the page that was looked at last: with a browser that ends all its tabs are gone. */
  #lastUrl: string | undefined;

  constructor(parts: ChromiumParts) {
    this.#parts = parts;
    this.#context = parts.context;
    this.#tabs = new Tabs(parts.downloads);
    this.#tabs.watch(parts.context);
  }

  get ended(): boolean {
    return !this.#parts.browser.isConnected();
  }

  get url(): string | undefined {
    return this.#lastUrl;
  }

  async act(action: BrowserAction, options: ActOptions): Promise<BrowserStep> {
    const { timeoutMs, signal, dialog } = options;
    const deadline = performance.now() + timeoutMs;
    this.#tabs.beginStep(dialog);
    this.#parts.beginStep();
    // What pages wanted since the last step was nobody's wish.
    this.#parts.takeRefusals();
    const hosts: HostRefusal[] = [];
    let done: Performed = {};
    let refusal: BrowserStep["refusal"];
    try {
      signal.throwIfAborted();
      done = await inTime(this.#do(action, options), options);
    } catch (error) {
      signal.throwIfAborted();
      hosts.push(...this.#parts.takeRefusals());
      refusal = unreachedPage(action, hosts) ?? refusalOf(error, action, timeoutMs);
      if (!refusal && !this.ended) throw error;
    }
    await this.#settle(deadline, signal);
    signal.throwIfAborted();
    hosts.push(...this.#parts.takeRefusals());
    refusal ??= unreachedPage(action, hosts);
    if (refusal) done = {};
    const told = hosts.filter(({ message }) => message !== refusal?.message);
    const patienceMs = refusal?.reason === "timeout" ? LATE_LOOK_MS : LOOK_MS;
    const [page, tabs] = await Promise.all([
      this.#look(patienceMs),
      this.ended ? [] : this.#tabs.list(),
    ]);
    // What happened otherwise is for those who act in the other tabs.
    const events = action.kind === "peek" ? [] : [
      ...this.#tabs.takeEvents(),
      ...this.#parts.downloads?.takeEnded() ?? [],
      ...refusedEvents(told),
    ];
    return { ...done, ...(refusal && { refusal }), ...(page && { page }), tabs, events };
  }

  async #do(action: BrowserAction, options: ActOptions): Promise<Performed> {
    switch (action.kind) {
      case "tabs":
        return {};
      case "tab":
        await this.#tabs.bringToFront(action.tab);
        return {};
      case "new_tab":
        await this.#tabs.open(this.#context);
        return action.url === undefined
          ? {}
          : await this.#do({ kind: "open", url: action.url }, options);
      case "close_tab": {
        const { tab } = action;
        await (tab === undefined ? this.#tabs.needFront() : this.#tabs.find(tab)).page.close();
        return {};
      }
      case "save_state":
        await this.#saveState(action.name);
        return {};
      case "load_state":
        await this.#loadState(action.name);
        return {};
      case "peek":
        return { source: await peekAt(action.url, this.#tabs, this.#context, options) };
      case "close":
        return {};
      case "open": {
        await this.#tabs.leaveHanging();
        const tab = this.#tabs.front ?? await this.#tabs.open(this.#context);
        return await perform(action, tab, options);
      }
      default:
        return await perform(action, this.#tabs.needFront(), options);
    }
  }

  async #settle(deadline: number, signal: AbortSignal): Promise<void> {
    if (this.ended) return;
    // A new tab may come in front meanwhile.
    let settled: Tab | undefined;
    while (this.#tabs.front !== settled) {
      settled = this.#tabs.front;
      if (settled) await settle(settled, deadline, signal);
    }
    await this.#parts.downloads?.settle(deadline, signal);
  }

  async #look(ms: number): Promise<PageView | undefined> {
    const tab = this.#tabs.front;
    if (!tab || this.ended) return undefined;
    const view = await viewOf(tab, ms);
    this.#lastUrl = view.url;
    return view;
  }

  async #saveState(name: string): Promise<void> {
    const { states } = this.#parts;
    if (!states.kept) {
      throw new ActionRefused("unsupported", "Cannot save the state: nothing may be written here");
    }
    await states.save(name, await this.#context.storageState({ indexedDB: true }));
  }

  async #loadState(name: string): Promise<void> {
    const { newContext, states } = this.#parts;
    if (!newContext) {
      const why = "this is your own browser, which has its own";
      throw new ActionRefused("unsupported", `Cannot load a state: ${why}`);
    }
    const file = await states.find(name);
    if (file === undefined) {
      const names = (await states.names()).join(", ");
      const there = names === "" ? "none is saved" : `there are ${names}`;
      throw new ActionRefused("not_found", `Cannot load state "${name}": ${there}`);
    }
    const before = this.#context;
    const next = await newContext(file);
    this.#tabs.forgetAll();
    this.#context = next;
    this.#tabs.watch(next);
    await before.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.end();
  }
}
