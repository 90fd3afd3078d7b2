import type { Browser } from "../../tools/browser/browser.ts";
import { type ChosenBrowser, lookAt } from "./choose_browser.ts";
import type { BrowserDriver, DriverParts } from "./driver.ts";

/** The capability, of which nothing is loaded before its first action. */
export function lazyBrowser(
  chosen: ChosenBrowser,
  parts: Omit<DriverParts, "chosen">,
): Browser & AsyncDisposable {
  let driver: BrowserDriver | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    look: () =>
      lookAt(chosen, {
        running: driver?.running ?? false,
        confined: parts.confined,
      }),
    act(action, options) {
      const step = last.then(async () => {
        options.signal.throwIfAborted();
        const { BrowserDriver } = await import("./driver.ts");
        driver ??= new BrowserDriver({ ...parts, chosen });
        return await driver.act(action, options);
      });
      last = step.catch(() => {});
      return step;
    },
    async [Symbol.asyncDispose]() {
      // What still acts ends with its browser.
      await driver?.[Symbol.asyncDispose]();
      await last;
    },
  };
}
