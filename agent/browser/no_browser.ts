import type { RuntimeQuery } from "../../sandbox/rights/grants.ts";
import type { ChosenBrowser } from "./choose_browser.ts";

/** What the library that drives browsers asks of Deno while it is loaded. */
export const LIBRARY_SYS: readonly string[] = ["homedir", "osRelease"];

/** Why no browser runs the scripts of pages, and what helps; undefined where one does. */
export function whyNoPages(
  chosen: ChosenBrowser | undefined,
  isGranted: RuntimeQuery,
): string | undefined {
  if (chosen?.kind === "text") return "lynx runs no scripts: apt-get install chromium";
  return whyNoBrowser(chosen, isGranted);
}

/** Why there is no browser, and what helps; undefined where there is one. */
export function whyNoBrowser(
  chosen: ChosenBrowser | undefined,
  isGranted: RuntimeQuery,
): string | undefined {
  if (!chosen) {
    return "no browser is installed: apt-get install chromium (or lynx, for text), or set " +
      '"browser" in config.jsonc';
  }
  if (chosen.kind === "text") return undefined;
  const lacking = [
    ...(isGranted("env") ? [] : ["--allow-env"]),
    ...(LIBRARY_SYS.every((name) => isGranted("sys", name))
      ? []
      : [`--allow-sys=${LIBRARY_SYS.join(",")}`]),
  ];
  return lacking.length === 0 ? undefined : lacking.join(" ");
}
