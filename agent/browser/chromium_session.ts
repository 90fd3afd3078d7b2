import type { Browser, BrowserContext, Dialog, Page } from "playwright-core";
import { stopAt } from "../../sandbox/commands/timers.ts";
import type {
  ActOptions,
  BrowserAction,
  BrowserEvent,
  BrowserStep,
  DialogAnswer,
  PageView,
  TabView,
} from "../../tools/browser/browser.ts";
import { Downloads } from "./downloads.ts";
import type { HostRefusal } from "./ground.ts";
import { titleOf, viewOf } from "./page_view.ts";
import { perform, type Performed } from "./perform.ts";
import { ActionRefused, refusalOf } from "./refusals.ts";
import type { SavedStates } from "./saved_states.ts";
import type { BrowserSession } from "./session.ts";
import { settle } from "./settle.ts";
import { Tab } from "./tab.ts";
import { within } from "./within.ts";

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

/** How long an action may go on after its limit, or once it was stopped, in milliseconds. */
const GRACE_MS = 1_000;

/** A page that asks more often in one step is closed. */
const MAX_DIALOGS = 20;

/** Tabs at a time; what a page opens beyond that is closed. */
const MAX_TABS = 16;

/** So many hosts that were not reached are named for a step. */
const MAX_REFUSALS = 5;

/** A browser of Chromium's family that is driven. */
export class ChromiumSession implements BrowserSession {
  readonly #parts: ChromiumParts;
  #context: BrowserContext;
  readonly #tabs: Tab[] = [];
  #lastId = 0;
  /** Of the page that was looked at last: with a browser that ends all its tabs are gone. */
  #lastUrl: string | undefined;
  #front: Tab | undefined;
  #events: BrowserEvent[] = [];
  #dialog: DialogAnswer | undefined;
  #dialogs = 0;

  constructor(parts: ChromiumParts) {
    this.#parts = parts;
    this.#context = this.#watch(parts.context);
    // What a person has open is theirs, and stays until the model is told to take it.
    this.#front = undefined;
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
    this.#dialog = dialog;
    this.#dialogs = 0;
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
    const told = hosts.filter(({ message }) => message !== refusal?.message);
    const patienceMs = refusal?.reason === "timeout" ? LATE_LOOK_MS : LOOK_MS;
    const [page, tabs] = await Promise.all([this.#look(patienceMs), this.#listTabs()]);
    const events = [
      ...this.#events.splice(0),
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
        this.#front = this.#tab(action.tab);
        await this.#front.page.bringToFront();
        return {};
      case "new_tab":
        await this.#newTab();
        return action.url === undefined
          ? {}
          : await this.#do({ kind: "open", url: action.url }, options);
      case "close_tab": {
        const tab = action.tab === undefined ? this.#needFront() : this.#tab(action.tab);
        await tab.page.close();
        return {};
      }
      case "save_state":
        await this.#saveState(action.name);
        return {};
      case "load_state":
        await this.#loadState(action.name);
        return {};
      case "close":
        return {};
      case "open":
        await this.#leaveHanging();
        return await perform(action, this.#front ?? await this.#newTab(), options);
      default:
        return await perform(action, this.#needFront(), options);
    }
  }

  #needFront(): Tab {
    if (this.#front) return this.#front;
    throw new ActionRefused("not_found", "Cannot act on a page: none is open, open one first");
  }

  #tab(id: number): Tab {
    const tab = this.#tabs.find((tab) => tab.id === id);
    if (tab) return tab;
    const ids = this.#tabs.map((tab) => tab.id).join(", ");
    const open = ids === "" ? "none is open" : `there are ${ids}`;
    throw new ActionRefused("not_found", `Cannot find tab ${id}: ${open}`);
  }

  /** A page that does not answer cannot be led elsewhere. */
  async #leaveHanging(): Promise<void> {
    const tab = this.#front;
    if (!tab?.hangs) return;
    this.#closed(tab);
    this.#front = undefined;
    await within(GRACE_MS, tab.page.close());
  }

  async #newTab(): Promise<Tab> {
    if (this.#tabs.length >= MAX_TABS) {
      throw new ActionRefused("failed", `Cannot open a tab: ${MAX_TABS} are open, close one`);
    }
    const page = await this.#context.newPage();
    const tab = this.#tabs.find((tab) => tab.page === page) ?? this.#adopt(page);
    // It was asked for, and is no event.
    this.#events = this.#events.filter((event) => event.kind !== "new_tab" || event.tab !== tab.id);
    return tab;
  }

  #watch(context: BrowserContext): BrowserContext {
    context.on("page", (page) => this.#adopt(page));
    for (const page of context.pages()) this.#adopt(page);
    // What was there before is no event.
    this.#events = [];
    return context;
  }

  /** A tab that came: a page opened it, or we did. It goes in front, as in any browser. */
  #adopt(page: Page): Tab {
    const known = this.#tabs.find((tab) => tab.page === page);
    if (known) return known;
    const tab = new Tab(++this.#lastId, page);
    page.on("dialog", (dialog) => {
      if (++this.#dialogs <= MAX_DIALOGS) void this.#answer(dialog);
      else void page.close().catch(() => {});
    });
    const { downloads } = this.#parts;
    if (downloads) page.on("download", (download) => downloads.add(download));
    page.on("crash", () => this.#crashed(tab));
    page.on("close", () => this.#closed(tab));
    if (this.#tabs.length >= MAX_TABS) {
      void page.close().catch(() => {});
      return tab;
    }
    this.#tabs.push(tab);
    this.#front = tab;
    this.#events.push({ kind: "new_tab", tab: tab.id, url: page.url() });
    return tab;
  }

  #crashed(tab: Tab): void {
    this.#events.push({ kind: "crashed", tab: tab.id });
    this.#forget(tab);
    void tab.page.close().catch(() => {});
  }

  #closed(tab: Tab): void {
    if (this.#forget(tab)) this.#events.push({ kind: "tab_closed", tab: tab.id });
  }

  #forget(tab: Tab): boolean {
    const at = this.#tabs.indexOf(tab);
    if (at < 0) return false;
    this.#tabs.splice(at, 1);
    if (this.#front === tab) this.#front = this.#tabs.at(-1);
    return true;
  }

  /** A page waits until its question is answered, so it always is. */
  async #answer(dialog: Dialog): Promise<void> {
    const [type, message] = [dialog.type(), dialog.message()];
    // There is no no to an alert, and a page that wants to be stayed on is left.
    const accepted = type === "alert" || type === "beforeunload" || this.#dialog?.accept === true;
    if (type !== "beforeunload") this.#events.push({ kind: "dialog", type, message, accepted });
    try {
      await (accepted ? dialog.accept(this.#dialog?.text) : dialog.dismiss());
    } catch (error) {
      // Its page is gone, and the question with it.
      if (!(error instanceof Error)) throw error;
    }
  }

  async #settle(deadline: number, signal: AbortSignal): Promise<void> {
    if (this.ended) return;
    // A new tab may come in front meanwhile.
    for (let tab: Tab | undefined; tab !== this.#front;) {
      tab = this.#front;
      if (tab) await settle(tab, deadline, signal);
    }
    await this.#parts.downloads?.settle(deadline, signal);
  }

  async #look(ms: number): Promise<PageView | undefined> {
    const tab = this.#front;
    if (!tab || this.ended) return undefined;
    const view = await viewOf(tab, ms);
    this.#lastUrl = view.url;
    return view;
  }

  async #listTabs(): Promise<TabView[]> {
    if (this.ended) return [];
    return await Promise.all(this.#tabs.map(async (tab) => ({
      tab: tab.id,
      url: tab.page.url(),
      title: await titleOf(tab.page),
      active: tab === this.#front,
    })));
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
    for (const tab of [...this.#tabs]) this.#forget(tab);
    this.#context = this.#watch(next);
    await before.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.end();
  }
}

/** A page whose own host was not reached shows our proxy's sentence, and is none. */
function unreachedPage(
  action: BrowserAction,
  hosts: readonly HostRefusal[],
): BrowserStep["refusal"] {
  if ((action.kind !== "open" && action.kind !== "new_tab") || action.url === undefined) {
    return undefined;
  }
  const url = URL.parse(action.url);
  // Of an address that is none the proxy names no host.
  const refused = hosts.find(({ host }) => host === undefined || host === url?.hostname);
  return refused && { reason: "unreachable", message: refused.message };
}

function refusedEvents(hosts: readonly HostRefusal[]): BrowserEvent[] {
  const messages = [...new Set(hosts.map(({ message }) => message))];
  const more = messages.length - MAX_REFUSALS;
  return [
    ...messages.slice(0, MAX_REFUSALS),
    ...(more > 0 ? [`${more} more hosts were not reached`] : []),
  ].map((message) => ({ kind: "refused", message }));
}

/**
 * Work that ends with the signal, which the library has too: it is let come to its end, lest it get in
 * the way of the next action, but not for long.
 * @throws {ActionRefused} where it goes on past its limit, as with a page that hangs.
 */
async function inTime<T>(work: Promise<T>, { timeoutMs, signal }: ActOptions): Promise<T> {
  using stop = stopAt(timeoutMs + GRACE_MS, signal);
  const ended = work.then(() => {}, () => {});
  const first = await Promise.race([ended, stop.reached]);
  if (first === undefined) return await work;
  if (first === "timeout") {
    const message = `Cannot go on: the page did not answer for ${timeoutMs / 1000} seconds`;
    throw new ActionRefused("timeout", message);
  }
  await within(GRACE_MS, ended);
  throw signal.reason;
}
