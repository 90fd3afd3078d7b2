/** Reads what `deno test` reports about a run; pure. */

/** How a run ended; tests and their steps count alike. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A test, or a step of one (`test > step`), that did not run because its machine lacks something. */
export interface Skipped {
  readonly file: string;
  readonly name: string;
}

/** The last line of the pretty reporter: `ok | 2 passed (1 step) | 0 failed | 1 ignored (3ms)`. */
const SUMMARY = new RegExp(
  String.raw`^(?:ok|FAILED) \| ${part("passed")} \| ${part("failed")}(?: \| ${part("ignored")})?`,
);

// deno-lint-ignore no-control-regex -- the escape character is what colours begin with
const COLOUR = /\x1b\[[0-9;]*m/g;

/**
 * The counts in the reporter's output, or undefined where it never got to its summary (types wrong,
 * nothing to run). The last such line counts: a test may print one of its own before.
 */
export function readTotals(output: string): Totals | undefined {
  const lines = output.replaceAll(COLOUR, "").split("\n");
  const match = lines.map((line) => SUMMARY.exec(line)).findLast((found) => found !== null);
  if (!match) return undefined;
  const [passed, passedSteps, failed, failedSteps, ignored, ignoredSteps] = match.slice(1)
    .map((digits) => Number(digits ?? 0));
  return {
    passed: (passed ?? 0) + (passedSteps ?? 0),
    failed: (failed ?? 0) + (failedSteps ?? 0),
    skipped: (ignored ?? 0) + (ignoredSteps ?? 0),
  };
}

/** The skipped tests and steps of the JUnit report that `deno test --junit-path` writes. */
export function readSkipped(junit: string): Skipped[] {
  const skipped: Skipped[] = [];
  let file = "";
  for (const [, suite, name] of junit.matchAll(SUITE_OR_SKIPPED)) {
    if (suite !== undefined) file = unescapeXml(suite).replace(/^\.\//, "");
    else if (name !== undefined) skipped.push({ file, name: unescapeXml(name) });
  }
  return skipped;
}

/** `12 passed, 0 failed`, with `, 1 skipped` where there are any: the last line of a run. */
export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

const SUITE_OR_SKIPPED = /<testsuite name="([^"]*)"|<testcase name="([^"]*)"[^>]*>\s*<skipped\/>/g;

function part(word: string): string {
  return String.raw`(\d+) ${word}(?: \((\d+) steps?\))?`;
}

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replaceAll(
    /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return entities[name ?? ""] ?? whole;
    },
  );
}
