import { join } from "node:path";
import type { Browser } from "../../tools/browser/browser.ts";
import type { Egress } from "../egress.ts";
import type { Enclosure } from "../enclosure.ts";
import { keepsState, type Launch } from "../launch.ts";
import type { ChosenBrowser } from "./choose_browser.ts";
import { lazyBrowser } from "./lazy_browser.ts";

/** The capability `browser` of a run; undefined where there is no browser. Nothing is loaded yet. */
export function browserFor(
  launch: Launch,
  chosen: ChosenBrowser | undefined,
  view: Enclosure["view"],
  openWayOut: Egress["openForBrowser"],
): (Browser & AsyncDisposable) | undefined {
  if (!chosen) return undefined;
  const { environment, places: { state, workspace } } = launch;
  return lazyBrowser(chosen, {
    confined: view !== undefined,
    ...(state !== undefined && keepsState(launch) && {
      states: { folder: join(state, "browser"), workspace },
    }),
    async ground() {
      const { makeGround } = await import("./make_ground.ts");
      return await makeGround({ chosen, view, openWayOut, environment });
    },
  });
}
