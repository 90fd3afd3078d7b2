import type { ActOptions, BrowserAction, BrowserStep } from "../../tools/browser/browser.ts";

/** A browser that runs; disposing it ends it, with all that it kept. */
export interface BrowserSession extends AsyncDisposable {
  /** It is gone, for whatever reason, and does nothing any more. */
  readonly ended: boolean;
  /** The page in front. */
  readonly url: string | undefined;
  /** Does one action; failures of pages are answers. */
  act(action: BrowserAction, options: ActOptions): Promise<BrowserStep>;
}
