import type { Page } from "playwright-core";
import type { PageView } from "../../tools/browser/browser.ts";
import { ActionRefused } from "./refusals.ts";
import { hideSilentFrames } from "./silent_frames.ts";
import type { Tab } from "./tab.ts";
import { within } from "./within.ts";

/** The library takes a second for 10 000 elements, and cannot be stopped meanwhile. */
const MAX_ELEMENTS = 40_000;

/** How long a page that is not busy takes to answer, in milliseconds. */
const ANSWER_MS = 2_000;

const NO_ANSWER = "(the page does not answer: it is busy, or broken)";

/**
 * The page of a tab as it is now, its accessibility tree where that can be had within `ms`; the tab
 * is marked as hanging where it does not answer.
 */
export async function viewOf(tab: Tab, ms: number): Promise<PageView> {
  const { page, id } = tab;
  const [snapshot, title] = await Promise.all([within(ms, snapshotOf(page, ms)), titleOf(page)]);
  tab.hangs = snapshot === undefined;
  return { tab: id, url: page.url(), title, snapshot: snapshot ?? NO_ANSWER };
}

async function snapshotOf(page: Page, ms: number): Promise<string | undefined> {
  const elements = await within(Math.min(ms, ANSWER_MS), countElements(page));
  if (elements === undefined) return undefined;
  return elements > MAX_ELEMENTS
    ? `(the page has ${elements} elements, too many for a snapshot: read it, in parts)`
    : await treeOf(page, { timeout: ms });
}

/**
 * The accessibility tree of a page.
 * @throws {ActionRefused} where it would take too long.
 */
export async function searchableTree(
  page: Page,
  limits: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<string> {
  if (await countElements(page) <= MAX_ELEMENTS) return await treeOf(page, limits);
  throw new ActionRefused("failed", "Cannot search: the page is too large, read it in parts");
}

/** Frames that do not answer are not in the tree but named after it. */
async function treeOf(
  page: Page,
  limits: { readonly timeout: number; readonly signal?: AbortSignal },
): Promise<string> {
  await using silent = await hideSilentFrames(page);
  const tree = await page.ariaSnapshot({ mode: "ai", ...limits });
  const names = silent.urls.map((url) => `\n(a frame does not answer: ${url || "no address yet"})`);
  return tree + names.join("");
}

async function countElements(page: Page): Promise<number> {
  return await page.locator("css=*").count();
}

/** The title of a page; empty where it does not answer. */
export async function titleOf(page: Page): Promise<string> {
  return await within(ANSWER_MS, page.title()) ?? "";
}
