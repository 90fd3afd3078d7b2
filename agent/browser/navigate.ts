import type { Page } from "playwright-core";
import type { Limits } from "./limits.ts";
import { ActionRefused } from "./refusals.ts";
import { within } from "./within.ts";

/**
 * Opens an address of the web, or the empty page: what else a browser shows is the machine's, or its own.
 * @throws {ActionRefused} for any other address; what the library throws.
 */
export async function open(page: Page, url: string, limits: Limits): Promise<void> {
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

/**
 * Goes by the tab's history, which knows of frames and of pages that never answered.
 * @throws {ActionRefused} where there is no page that way.
 */
export async function travel(page: Page, way: "back" | "forward"): Promise<void> {
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
