import { dirname } from "node:path";
import { confinedPlace, ownPlace } from "../../sandbox/browser/place.ts";
import type { Environment } from "../../sandbox/commands/environment.ts";
import type { EgressEvent } from "../../sandbox/egress/events.ts";
import type { View } from "../../sandbox/view/view.ts";
import type { ChosenBrowser } from "./choose_browser.ts";
import type { BrowserGround, HostRefusal } from "./ground.ts";
import { isOwnHost } from "./page_gate.ts";

/** The way out that a browser gets: a proxy of its own, by the rules of the session. */
export interface BrowserWayOut extends AsyncDisposable {
  /** Its unix socket. */
  readonly path: string;
  /** See {@linkcode PageGate.beginStep}. */
  beginStep(): void;
}

/** What a ground is made of. */
export interface GroundParts {
  readonly chosen: ChosenBrowser;
  /** The view of commands, where this machine has one. */
  readonly view: { readonly view: View; readonly filter: Uint8Array } | undefined;
  readonly environment: Environment;
  /** Opens the way out; `heard` is told what happens on it. */
  readonly openWayOut: (heard: (event: EgressEvent) => void) => Promise<BrowserWayOut>;
}

/** Refusals that are kept for a step. */
const MAX_KEPT = 200;

/** Makes what a browser runs on; see {@linkcode BrowserGround}. */
export async function makeGround(
  { chosen, view, environment, openWayOut }: GroundParts,
): Promise<BrowserGround> {
  await using held = new AsyncDisposableStack();
  let refusals: HostRefusal[] = [];
  const wayOut = held.use(
    await openWayOut((event) => {
      if (event.type !== "refused" || refusals.length >= MAX_KEPT) return;
      const { host, message } = event;
      if (host === undefined || !isOwnHost(host)) {
        refusals.push({ ...(host !== undefined && { host }), message });
      }
    }),
  );
  const proxySocket = wayOut.path;
  const programFolder = folderOf(chosen);
  const place = held.use(
    // A declared container is the boundary, and has the browser's files where they are.
    view && view.view.profile !== "container"
      ? confinedPlace(view, { proxySocket, programFolder })
      : ownPlace(environment, { proxySocket, ownSandbox: !view && !isRoot() }),
  );
  const whole = held.move();
  return {
    place,
    beginStep: () => wayOut.beginStep(),
    takeRefusals() {
      const taken = refusals;
      refusals = [];
      return taken;
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** Where a browser lies that a person named, if the system's folders do not show it. */
function folderOf(chosen: ChosenBrowser): string | undefined {
  if (chosen.kind !== "own" || !chosen.program.startsWith("/")) return undefined;
  const folder = dirname(chosen.program);
  return /^\/(?:usr|opt)\//.test(folder) ? undefined : folder;
}

function isRoot(): boolean {
  return Deno.build.os !== "windows" && Deno.uid() === 0;
}
