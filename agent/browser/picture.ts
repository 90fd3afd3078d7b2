import type { Page } from "playwright-core";
import type { BrowserFile } from "../../tools/browser/browser.ts";
import type { Limits } from "./limits.ts";
import { locate } from "./locate.ts";

/** A picture at the most, in pixels of the page: models scale it down to less. */
const MAX_PICTURE_HEIGHT = 8_000;

/**
 * Takes a picture of what is seen of a page, of all of it (`full`) or of an element.
 * @throws {ActionRefused} where the page has no such element; what the library throws.
 */
export async function picture(
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
