import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { stopAt } from "../../sandbox/commands/timers.ts";
import type {
  BrowserAction,
  BrowserFile,
  BrowserStep,
  ScrollTarget,
} from "../../tools/browser/browser.ts";
import type { Limits } from "./limits.ts";
import { locate } from "./locate.ts";
import { open, travel } from "./navigate.ts";
import { searchableTree } from "./page_view.ts";
import { picture } from "./picture.ts";
import { ActionRefused } from "./refusals.ts";
import type { Tab } from "./tab.ts";

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
