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

/** A test, or a step of one, that failed, and what was thrown. */
export interface FailedTest extends Skipped {
  readonly why: string;
}

/** What of a run did not pass, in the order of its files. */
export interface Report {
  readonly skipped: readonly Skipped[];
  readonly failures: readonly FailedTest[];
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

/** Reads the JUnit report that `deno test --junit-path` writes. */
export function readReport(junit: string): Report {
  const skipped: Skipped[] = [];
  const failures: FailedTest[] = [];
  let file = "";
  for (const [, suite, quoted, why] of junit.matchAll(SUITE_OR_NOT_PASSED)) {
    if (suite !== undefined) {
      file = unescapeXml(suite).replace(/^\.\//, "");
      continue;
    }
    const name = unescapeXml(quoted ?? "");
    if (why === undefined) skipped.push({ file, name });
    else failures.push({ file, name, why: unescapeXml(why) });
  }
  return { skipped, failures };
}

/**
 * The failures as lines, so that who sees only the end of a long log sees them: of each the beginning
 * of what was thrown, of many the first.
 */
export function failureLines(failures: readonly FailedTest[]): string[] {
  if (failures.length === 0) return [];
  const MOST = 20;
  const MOST_LINES = 12;
  const lines = ["failed:"];
  for (const { file, name, why } of failures.slice(0, MOST)) {
    const thrown = why.split("\n").slice(0, MOST_LINES).map((line) => `    ${line}`.trimEnd());
    lines.push(`  ${file}: ${name}`, ...thrown);
  }
  if (failures.length > MOST) lines.push(`  and ${failures.length - MOST} more`);
  return lines;
}

/** `12 passed, 0 failed`, with `, 1 skipped` where there are any: the last line of a run. */
export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

const SUITE_OR_NOT_PASSED =
  /<testsuite name="([^"]*)"|<testcase name="([^"]*)"[^>]*>\s*(?:<skipped\/>|<failure[^>]*>([^<]*))/g;

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
