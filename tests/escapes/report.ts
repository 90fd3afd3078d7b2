/** The report: a table by kind, what went wrong, and the sums. Pure. */

import { type Outcome, type Verdict, VERDICTS } from "./verdict.ts";

const IDS_SHOWN = 6;

export interface Sums {
  readonly passed: number;
  readonly failed: number;
  readonly escaped: number;
}

/** Counts the outcomes. `strict` takes a tool that is not offered for a failure. */
export function sums(outcomes: readonly Outcome[], strict: boolean): Sums {
  const count = (verdict: Verdict) =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const escaped = count("escaped");
  return {
    passed: count("safe"),
    failed: escaped + count("error") + (strict ? count("not offered") : 0),
    escaped,
  };
}

/** Everything that is printed after the last case. */
export function reportText(
  outcomes: readonly Outcome[],
  duration_ms: number,
  strict: boolean,
): string {
  const { passed, failed } = sums(outcomes, strict);
  const lines = [
    ...table(outcomes),
    "",
    ...outcomes.filter(({ verdict }) => verdict === "escaped").map(detailLine),
    ...grouped(outcomes, "error"),
    ...grouped(outcomes, "not offered"),
    ...grouped(outcomes, "skipped"),
    `took ${(duration_ms / 1000).toFixed(1)} s`,
    `${passed} passed, ${failed} failed`,
  ];
  return lines.join("\n");
}

function table(outcomes: readonly Outcome[]): string[] {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => row(kind, outcomes.filter((outcome) => outcome.kind === kind)));
  return [["kind", ...VERDICTS.map(heading)], ...rows, row("all", outcomes)].map(line);
}

function heading(verdict: Verdict): string {
  return verdict === "escaped" ? "ESCAPED" : verdict;
}

function row(name: string, outcomes: readonly Outcome[]): string[] {
  const counts = VERDICTS.map((verdict) =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length
  );
  return [name, ...counts.map((count) => count === 0 ? "." : String(count))];
}

function line([name = "", ...cells]: string[]): string {
  return name.padEnd(18) + cells.map((cell) => cell.padStart(13)).join("");
}

/** One case on one line. */
export function detailLine({ id, layer, verdict, detail, output }: Outcome): string {
  const told = output === "" ? "" : ` | ${JSON.stringify(output.slice(0, 100))}`;
  const reason = [layer, detail].filter((part) => part !== "").join("; ");
  return `${heading(verdict).padEnd(12)} ${id.padEnd(20)} ${reason}${told}`;
}

/** The cases with a verdict, by its reason. */
function grouped(outcomes: readonly Outcome[], verdict: Verdict): string[] {
  const concerned = outcomes.filter((outcome) => outcome.verdict === verdict);
  const reasons = [...new Set(concerned.map(({ detail }) => detail))];
  return reasons.map((reason) => {
    const ids = concerned.filter(({ detail }) => detail === reason).map(({ id }) => id);
    const more = ids.length > IDS_SHOWN ? ` and ${ids.length - IDS_SHOWN} more` : "";
    return `${verdict.padEnd(12)} ${reason}: ${ids.slice(0, IDS_SHOWN).join(", ")}${more}`;
  });
}
