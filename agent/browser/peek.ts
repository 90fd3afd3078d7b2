import type { BrowserContext } from "playwright-core";
import type { BrowserStep } from "../../tools/browser/browser.ts";
import { perform, type PerformOptions } from "./perform.ts";
import { ActionRefused } from "./refusals.ts";
import { settle } from "./settle.ts";
import type { Tabs } from "./tabs.ts";
import { within } from "./within.ts";

/**
 * The page at an address once its scripts have come to rest, from a tab of its own.
 * @throws {ActionRefused} where it cannot be opened, or does not answer; what the library throws.
 */
export async function peekAt(
  url: string,
  tabs: Tabs,
  context: BrowserContext,
  options: PerformOptions,
): Promise<NonNullable<BrowserStep["source"]>> {
  const { timeoutMs, signal } = options;
  const deadline = performance.now() + timeoutMs;
  return await tabs.aside(context, async (tab) => {
    await perform({ kind: "open", url }, tab, options);
    await settle(tab, deadline, signal);
    const left = Math.max(0, deadline - performance.now());
    const html = await within(left, tab.page.content());
    if (html !== undefined) return { url: tab.page.url(), html };
    const message = `Cannot read the page: it did not answer for ${timeoutMs / 1000} seconds`;
    throw new ActionRefused("timeout", message);
  });
}
