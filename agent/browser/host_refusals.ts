import type { BrowserAction, BrowserEvent, BrowserStep } from "../../tools/browser/browser.ts";
import type { HostRefusal } from "./ground.ts";

/** So many hosts that were not reached are named for a step. */
const MAX_REFUSALS = 5;

/** A page whose own host was not reached shows our proxy's sentence, and is none. */
export function unreachedPage(
  action: BrowserAction,
  hosts: readonly HostRefusal[],
): BrowserStep["refusal"] {
  if (!OPENING.has(action.kind) || !("url" in action) || action.url === undefined) return undefined;
  const url = URL.parse(action.url);
  // Of an address that is none the proxy names no host.
  const refused = hosts.find(({ host }) => host === undefined || host === url?.hostname);
  return refused && { reason: "unreachable", message: refused.message };
}

const OPENING: ReadonlySet<BrowserAction["kind"]> = new Set(["open", "new_tab", "peek"]);

/** What a step tells of hosts that were not reached, each sentence once. */
export function refusedEvents(hosts: readonly HostRefusal[]): BrowserEvent[] {
  const messages = [...new Set(hosts.map(({ message }) => message))];
  const more = messages.length - MAX_REFUSALS;
  return [
    ...messages.slice(0, MAX_REFUSALS),
    ...(more > 0 ? [`${more} more hosts were not reached`] : []),
  ].map((message) => ({ kind: "refused", message }));
}
