import { Buffer } from "node:buffer";
import type { Locator, Page } from "playwright-core";
import { stopAt } from "../../sandbox/commands/timers.ts";
import type {
  BrowserAction,
  BrowserFile,
  BrowserStep,
  ScrollTarget,
} from "../../tools/browser/browser.ts";
import { searchableTree } from "./page_view.ts";
import { ActionRefused, staleRef } from "./refusals.ts";
import type { Tab } from "./tab.ts";
import { within } from "./within.ts";

/** Actions on a page; those on tabs and on the browser are the session's. */
export type PageAction = Exclude<
  BrowserAction,
  {
    kind: "tabs" | "tab" | "new_tab" | "close_tab" | "peek" | "save_state" | "load_state" | "close";
  }
>;

/** How a page is acted on. */
export interface PerformOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What an action brought beside the page. */
export interface Performed {
  readonly html?: string;
  readonly text?: string;
  readonly file?: BrowserFile;
  readonly source?: NonNullable<BrowserStep["source"]>;
}

/** A picture at the most, in pixels of the page: models scale it down to less. */
const MAX_PICTURE_HEIGHT = 8_000;

/** A wait for nothing that can be seen, in milliseconds. */
const PLAIN_WAIT_MS = 5_000;

/** Lines that `search` shows. */
const MAX_HITS = 100;

/** Lines around a hit. */
const CONTEXT_LINES = 1;

/**
 * Does an action in a tab.
 * @throws {ActionRefused} for what it cannot be done on; what the library throws.
 */
export async function perform(
  action: PageAction,
  tab: Tab,
  options: PerformOptions,
): Promise<Performed> {
  const { page } = tab;
  const { timeoutMs: timeout, signal } = options;
  const limits = { timeout, signal };
  const element = (ref: string) => locate(page, action.kind, ref);
  switch (action.kind) {
    case "open":
      await open(page, action.url, limits);
      return {};
    case "snapshot":
      return {};
    case "read":
      return { html: await page.content() };
    case "search":
      return { text: await search(page, action.text, limits) };
    case "click": {
      const target = await element(action.ref);
      await (action.double ? target.dblclick(limits) : target.click(limits));
      return {};
    }
    case "hover":
      await (await element(action.ref)).hover(limits);
      return {};
    case "fill": {
      const target = await element(action.ref);
      await target.fill(action.text, limits);
      if (action.submit) await target.press("Enter", limits);
      return {};
    }
    case "select":
      await (await element(action.ref)).selectOption([...action.values], limits);
      return {};
    case "upload": {
      const files = action.files.map(({ name, bytes, mediaType: mimeType }) => ({
        ...{ name, mimeType },
        buffer: Buffer.from(bytes),
      }));
      await (await element(action.ref)).setInputFiles(files, limits);
      return {};
    }
    case "press":
      await press(page, action, limits);
      return {};
    case "scroll":
      if ("ref" in action) await (await element(action.ref)).scrollIntoViewIfNeeded(limits);
      else await scroll(page, action.to);
      return {};
    case "wait":
      await wait(page, action, options);
      return {};
    case "back":
    case "forward":
      await travel(page, action.kind);
      return {};
    case "screenshot":
      return { file: await picture(page, action, limits) };
    case "pdf": {
      const bytes = new Uint8Array(await page.pdf());
      return { file: { name: "page.pdf", bytes, mediaType: "application/pdf" } };
    }
    case "console":
      return { text: tab.console.text("(the page has said nothing)") };
    case "network":
      return { text: tab.requests.text("(the page has asked for nothing)") };
  }
}

interface Limits {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Only the web: what else a browser shows is the machine's, or its own. */
async function open(page: Page, url: string, limits: Limits): Promise<void> {
  const address = URL.parse(url);
  const isWeb = address?.protocol === "http:" || address?.protocol === "https:";
  if (!isWeb && address?.href !== "about:blank") {
    const why = address ? "only http and https are opened" : "it is no URL";
    throw new ActionRefused("bad_url", `Cannot open ${JSON.stringify(url)}: ${why}`);
  }
  const go = () => page.goto(url, { ...limits, waitUntil: "domcontentloaded" });
  try {
    // The browser's own page about one that did not come may be on its way yet.
    await go().catch((error: unknown) => {
      if (error instanceof Error && /interrupted .*chrome-error:/.test(error.message)) return go();
      throw error;
    });
  } catch (error) {
    // Then there is no page, and the download is told.
    const isNoPage = error instanceof Error &&
      /Download is starting|net::ERR_ABORTED/.test(error.message);
    if (isNoPage) return;
    await stopLoading(page);
    throw error;
  }
}

/** How long a page may take to stop, in milliseconds. */
const STOP_MS = 1_000;

/** A page that is still on its way could not be looked at. */
async function stopLoading(page: Page): Promise<void> {
  await within(
    STOP_MS,
    (async () => {
      const protocol = await page.context().newCDPSession(page);
      await protocol.send("Page.stopLoading");
      await protocol.detach();
    })(),
  );
}

/** @throws {ActionRefused} where the page has no such element now. */
async function locate(page: Page, kind: string, ref: string): Promise<Locator> {
  if (!/^(?:f\d+)?e\d+$/.test(ref)) throw staleRef(kind, ref);
  const locator = page.locator(`aria-ref=${ref}`);
  try {
    if (await locator.count() > 0) return locator;
  } catch (error) {
    // The frame of the reference is gone.
    if (!(error instanceof Error && /frame/i.test(error.message))) throw error;
  }
  throw staleRef(kind, ref);
}

async function press(
  page: Page,
  { key, ref }: { readonly key: string; readonly ref?: string },
  limits: Limits,
): Promise<void> {
  try {
    if (ref === undefined) await page.keyboard.press(key);
    else await (await locate(page, "press", ref)).press(key, limits);
  } catch (error) {
    if (!(error instanceof Error && /Unknown key/.test(error.message))) throw error;
    const message = `Cannot press ${JSON.stringify(key)}: there is no such key, ` +
      "names are as Enter, Escape, ArrowDown, Control+a";
    throw new ActionRefused("not_found", message);
  }
}

async function scroll(page: Page, to: ScrollTarget): Promise<void> {
  const key = { up: "PageUp", down: "PageDown", top: "Home", bottom: "End" }[to];
  await page.keyboard.press(key);
}

/** For a text, or else for the time that was named. */
async function wait(
  page: Page,
  { text, gone = false }: { readonly text?: string; readonly gone?: boolean },
  { timeoutMs: timeout, signal }: PerformOptions,
): Promise<void> {
  if (text === undefined) {
    using limit = stopAt(Math.min(timeout, PLAIN_WAIT_MS), signal);
    await limit.reached;
    return;
  }
  const state = gone ? "hidden" : "visible";
  await page.getByText(text).first().waitFor({ state, timeout, signal });
}

/** By the tab's history, which knows of frames and of pages that never answered. */
async function travel(page: Page, way: "back" | "forward"): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  try {
    const { entries, currentIndex } = await protocol.send("Page.getNavigationHistory");
    const entry = entries[currentIndex + (way === "back" ? -1 : 1)];
    // Each tab begins with an empty page.
    if (!entry || (way === "back" && currentIndex === 1 && entry.url === "about:blank")) {
      throw new ActionRefused("not_found", `Cannot go ${way}: there is no page there`);
    }
    await protocol.send("Page.navigateToHistoryEntry", { entryId: entry.id });
  } finally {
    await protocol.detach();
  }
}

async function picture(
  page: Page,
  { ref, full = false }: { readonly ref?: string; readonly full?: boolean },
  limits: Limits,
): Promise<BrowserFile> {
  const options = { ...limits, type: "png", animations: "disabled" } as const;
  const bytes = ref !== undefined
    ? await (await locate(page, "screenshot", ref)).screenshot(options)
    : full
    ? await page.screenshot({ ...options, fullPage: true, ...await clipOf(page) })
    : await page.screenshot(options);
  return { name: "browser.png", bytes: new Uint8Array(bytes), mediaType: "image/png" };
}

/** The top of a page that is longer than any picture of it could be read. */
async function clipOf(page: Page) {
  const size = await page.evaluate(() => {
    // A cast: this runs in the page, whose globals are not ours.
    const { documentElement } = (globalThis as unknown as {
      document: { documentElement: { scrollWidth: number; scrollHeight: number } };
    }).document;
    return { width: documentElement.scrollWidth, height: documentElement.scrollHeight };
  });
  if (size.height <= MAX_PICTURE_HEIGHT) return {};
  return { clip: { x: 0, y: 0, width: size.width, height: MAX_PICTURE_HEIGHT } };
}

/** The lines of the snapshot that hold a text, with their refs and those around. */
async function search(page: Page, text: string, limits: Limits): Promise<string> {
  const lines = (await searchableTree(page, limits)).split("\n");
  const wanted = text.toLowerCase();
  const hits = lines.flatMap((line, at) => line.toLowerCase().includes(wanted) ? [at] : []);
  const near = new Set(
    hits.slice(0, MAX_HITS).flatMap((at) =>
      Array.from({ length: 2 * CONTEXT_LINES + 1 }, (_, i) => at - CONTEXT_LINES + i)
    ),
  );
  const found = lines.filter((_, at) => near.has(at)).join("\n");
  if (hits.length === 0) return "(the page has no line with this text)";
  return hits.length <= MAX_HITS ? found : `${found}\n(${hits.length - MAX_HITS} more)`;
}
