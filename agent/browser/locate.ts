import type { Locator, Page } from "playwright-core";
import { staleRef } from "./refusals.ts";

/**
 * The element of a reference of the snapshot; `kind`: what is to be done with it.
 * @throws {ActionRefused} where the page has no such element now.
 */
export async function locate(page: Page, kind: string, ref: string): Promise<Locator> {
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
