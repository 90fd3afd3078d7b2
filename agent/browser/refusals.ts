import type {
  BrowserAction,
  BrowserRefusal,
  BrowserRefusalReason,
} from "../../tools/browser/browser.ts";

/** Why an action cannot be done, thrown on the way to the one place that makes it an answer. */
export class ActionRefused extends Error {
  override readonly name = "ActionRefused";
  constructor(readonly reason: BrowserRefusalReason, message: string) {
    super(message);
  }
}

/** A reference that leads to nothing any more. */
export function staleRef(kind: string, ref: string): ActionRefused {
  return new ActionRefused(
    "stale_ref",
    `Cannot ${kind} ${
      JSON.stringify(ref)
    }: the page has no such element now, take a ref of this snapshot`,
  );
}

/** What the browser's library threw, as an answer; undefined for what is no answer of a browser. */
export function refusalOf(
  error: unknown,
  action: BrowserAction,
  timeoutMs: number,
): BrowserRefusal | undefined {
  if (error instanceof ActionRefused) return { reason: error.reason, message: error.message };
  if (!(error instanceof Error)) return undefined;
  const words = plainWords(error.message);
  const of = `Cannot ${action.kind}`;
  if (/crashed/i.test(error.message)) {
    return { reason: "crashed", message: `${of}: the page crashed, open it again` };
  }
  if (error.name === "TimeoutError") {
    const message = `${of}: not done within ${timeoutMs / 1000} seconds`;
    return { reason: "timeout", message, detail: words };
  }
  // A page of the browser's own took the place of one that did not come.
  const network = /net::(ERR_\w+)|chrome-error:/.exec(error.message);
  if (network) {
    const why = network[1] === undefined
      ? "nothing came from there"
      : `the network says ${network[1]}`;
    return { reason: "unreachable", message: `${of}: ${why}` };
  }
  if (!isOfLibrary(error)) return undefined;
  return { reason: "failed", message: `${of}: the browser does not do it`, detail: words };
}

/** The library throws plain errors, which it marks with the call that they are of. */
function isOfLibrary(error: Error): boolean {
  return /^(?:\w+)\.(?:\w+): /.test(error.message) || /playwright/.test(error.stack ?? "");
}

/** Its message without colours and without what it did before, but for the last reasons. */
function plainWords(message: string): string {
  // deno-lint-ignore no-control-regex -- the library colours its messages
  const plain = message.replaceAll(/\x1b\[[0-9;]*m/g, "");
  const [first = "", ...log] = plain.split("\n").map((line) => line.trim());
  const why = log.filter((line) =>
    /intercepts|not visible|not enabled|not stable|outside/.test(line)
  );
  return [first, ...new Set(why.map((line) => line.replace(/^- /, "")))].slice(0, 3).join("; ");
}
