import type { BrowserContext, Dialog, Page } from "playwright-core";
import type { BrowserEvent, DialogAnswer, TabView } from "../../tools/browser/browser.ts";
import type { Downloads } from "./downloads.ts";
import { titleOf } from "./page_view.ts";
import { ActionRefused } from "./refusals.ts";
import { Tab } from "./tab.ts";
import { within } from "./within.ts";

/** Tabs at a time; what a page opens beyond that is closed. */
const MAX_TABS = 16;

/** A page that asks more often in one step is closed. */
const MAX_DIALOGS = 20;

/** How long a page that hangs may take to be closed, in milliseconds. */
const CLOSE_MS = 1_000;

/** The tabs of a browser, and what their pages do by themselves. */
export class Tabs {
  readonly #downloads: Downloads | undefined;
  readonly #tabs: Tab[] = [];
  #lastId = 0;
  #front: Tab | undefined;
  #events: BrowserEvent[] = [];
  #dialog: DialogAnswer | undefined;
  #dialogs = 0;

  /** Without downloads a page's files go where the browser puts them. */
  constructor(downloads: Downloads | undefined) {
    this.#downloads = downloads;
  }

  /** The one in front; undefined where none is open, or none was taken yet. */
  get front(): Tab | undefined {
    return this.#front;
  }

  /** A new step begins, in which questions of pages are answered so. */
  beginStep(dialog: DialogAnswer | undefined): void {
    this.#dialog = dialog;
    this.#dialogs = 0;
  }

  /** What happened since the last call, in order. */
  takeEvents(): BrowserEvent[] {
    return this.#events.splice(0);
  }

  /** Takes over the tabs of a context, none of them in front, and those that will be opened. */
  watch(context: BrowserContext): void {
    context.on("page", (page) => this.#adopt(page));
    for (const page of context.pages()) this.#adopt(page);
    // What was there before is no event; of a person's browser it is theirs.
    this.#events = [];
    this.#front = undefined;
  }

  /** Lets go of all tabs, which nobody hears of any more. */
  forgetAll(): void {
    for (const tab of [...this.#tabs]) this.#forget(tab);
  }

  /** @throws {ActionRefused} where there is no such tab. */
  find(id: number): Tab {
    const tab = this.#tabs.find((tab) => tab.id === id);
    if (tab) return tab;
    const ids = this.#tabs.map((tab) => tab.id).join(", ");
    const open = ids === "" ? "none is open" : `there are ${ids}`;
    throw new ActionRefused("not_found", `Cannot find tab ${id}: ${open}`);
  }

  /** @throws {ActionRefused} where no tab is in front. */
  needFront(): Tab {
    if (this.#front) return this.#front;
    throw new ActionRefused("not_found", "Cannot act on a page: none is open, open one first");
  }

  /** @throws {ActionRefused} where there is no such tab. */
  async bringToFront(id: number): Promise<void> {
    this.#front = this.find(id);
    await this.#front.page.bringToFront();
  }

  /** @throws {ActionRefused} where there are too many. */
  async open(context: BrowserContext): Promise<Tab> {
    if (this.#tabs.length >= MAX_TABS) {
      throw new ActionRefused("failed", `Cannot open a tab: ${MAX_TABS} are open, close one`);
    }
    const page = await context.newPage();
    const tab = this.#tabs.find((tab) => tab.page === page) ?? this.#adopt(page);
    // It was asked for, and is no event.
    this.#events = this.#events.filter((event) => event.kind !== "new_tab" || event.tab !== tab.id);
    return tab;
  }

  /**
   * Does work in a tab of its own, which is closed then, and of which nobody hears.
   * @throws {ActionRefused} where there are too many.
   */
  async aside<T>(context: BrowserContext, work: (tab: Tab) => Promise<T>): Promise<T> {
    const before = this.#front;
    const tab = await this.open(context);
    try {
      return await work(tab);
    } finally {
      this.#forget(tab);
      if (!before || this.#tabs.includes(before)) this.#front = before;
      await within(CLOSE_MS, tab.page.close());
    }
  }

  /** Closes the tab in front where its page hangs: it cannot be led elsewhere. */
  async leaveHanging(): Promise<void> {
    const tab = this.#front;
    if (!tab?.hangs) return;
    this.#closed(tab);
    this.#front = undefined;
    await within(CLOSE_MS, tab.page.close());
  }

  async list(): Promise<TabView[]> {
    return await Promise.all(this.#tabs.map(async (tab) => ({
      tab: tab.id,
      url: tab.page.url(),
      title: await titleOf(tab.page),
      active: tab === this.#front,
    })));
  }

  /** A tab that came: a page opened it, or we did. It goes in front, as in any browser. */
  #adopt(page: Page): Tab {
    const known = this.#tabs.find((tab) => tab.page === page);
    if (known) return known;
    const tab = new Tab(++this.#lastId, page);
    if (this.#tabs.length >= MAX_TABS) {
      void page.close().catch(() => {});
      return tab;
    }
    this.#listen(tab);
    this.#tabs.push(tab);
    this.#front = tab;
    this.#events.push({ kind: "new_tab", tab: tab.id, url: page.url() });
    return tab;
  }

  #listen(tab: Tab): void {
    const { page } = tab;
    const downloads = this.#downloads;
    if (downloads) page.on("download", (download) => downloads.add(download));
    page.on("dialog", (dialog) => {
      if (++this.#dialogs <= MAX_DIALOGS) void this.#answer(dialog);
      else void page.close().catch(() => {});
    });
    page.on("crash", () => {
      this.#events.push({ kind: "crashed", tab: tab.id });
      this.#forget(tab);
      void page.close().catch(() => {});
    });
    page.on("close", () => this.#closed(tab));
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
}
