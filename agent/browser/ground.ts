import type { BrowserPlace } from "../../sandbox/browser/place.ts";

/** What a browser of ours runs on, and what it hears of the network. */
export interface BrowserGround extends AsyncDisposable {
  readonly place: BrowserPlace;
  /** A new step begins: persons may be asked anew. */
  beginStep(): void;
  /** What was not reached since the last call, a sentence each. */
  takeRefusals(): HostRefusal[];
}

/** A host that was not reached. */
export interface HostRefusal {
  /** With its port; absent where the request named none. */
  readonly host?: string;
  readonly message: string;
}
