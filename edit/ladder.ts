import { findOld, findRepaired, type Wanted } from "./find.ts";
import { type Hit, lastRung, MAX_HITS, onLineBorders, type Rung } from "./hit.ts";
import type { Change } from "./line_diff.ts";
import { leakedOmission } from "./placeholder.ts";
import { MAX_PLACES, type Refusal, refuse } from "./refusal.ts";
import { applyChanges, rewrite, type TextChange } from "./rewrite.ts";
import { Source } from "./source.ts";
import { lineNumbers, withBreaks } from "./text.ts";
import { type Repair, repairs } from "./transport.ts";

const SAME_BYTES = "the file already has these very bytes";

/** One edit to be found in a file. */
export interface Edit extends Wanted {
  readonly fresh: string;
  /** Which lines of old became which of new, when the edit itself says so. */
  readonly changes?: readonly Change[];
}

/** Where an edit lands, and what is to be written there. */
export interface Landing {
  readonly ok: true;
  readonly rung: Rung;
  /** The ranges that were taken for old, in file order. */
  readonly hits: readonly Hit[];
  /** What differs inside them; at least one. */
  readonly changes: readonly TextChange[];
  /** What was repaired, on the rung of that name. */
  readonly repair?: Repair;
}

/** A new text of the whole file, and the way there. */
export interface Replacement {
  readonly ok: true;
  readonly text: string;
  readonly rung: Rung;
  readonly repair?: Repair;
  /** Ranges of the original text, in file order, not overlapping. */
  readonly changes: readonly TextChange[];
  /** How many places were replaced. */
  readonly count: number;
}

/** Replaces the one place where old stands; tolerant in finding, exact in writing. */
export function replaceUnique(
  file: string | Source,
  old: string,
  fresh: string,
  { replaceAll = false }: { replaceAll?: boolean } = {},
): Replacement | Refusal {
  const source = typeof file === "string" ? new Source(file) : file;
  if (old === "" && source.text === "" && fresh !== "") return fillEmpty(fresh);
  const landing = land(source, { old, fresh, replaceAll });
  if (!landing.ok) return landing;
  const { hits, ...how } = landing;
  const text = applyChanges(source.text, how.changes);
  return text === source.text
    ? refuse("no_change", SAME_BYTES)
    : { ...how, text, count: hits.length };
}

function fillEmpty(fresh: string): Replacement | Refusal {
  const leak = leakedOmission(fresh, "");
  if (leak !== undefined) return refuseLeak(leak);
  const changes = [{ start: 0, end: 0, text: fresh }];
  return { ok: true, text: fresh, rung: "exact", changes, count: 1 };
}

/** Climbs the ladder: finds the place of an edit, and works out what to write there. */
export function land(source: Source, edit: Edit): Landing | Refusal {
  if (edit.old === "") return refuse("empty_old", "old text is empty and so names no place");
  const outside = outsideMark(edit);
  const texts = { ...edit, old: outside.old, fresh: outside.fresh };
  const plain = { old: withBreaks(texts.old, "\n"), fresh: withBreaks(texts.fresh, "\n") };
  if (plain.old === plain.fresh) return refuse("no_change", "old and new text are the same");
  const leak = leakedOmission(plain.fresh, plain.old);
  if (leak !== undefined) return refuseLeak(leak);
  return climb(source, outside.marked ? edit : texts) ??
    (outside.marked ? withMark(climb(source, texts)) : undefined) ??
    climbRepaired(source, texts, plain) ?? notFound(edit);
}

const MARK = "\uFEFF";

/** A byte order mark belongs to the file, not to its text: old and new lose theirs. */
function outsideMark({ old, fresh }: Edit) {
  const marked = old.length > 1 && old.startsWith(MARK);
  return {
    marked,
    old: marked ? old.slice(1) : old,
    fresh: fresh.startsWith(MARK) ? fresh.slice(1) : fresh,
  };
}

/** Text found without its byte order mark is not exact. */
function withMark(answer: Landing | Refusal | undefined): Landing | Refusal | undefined {
  return answer?.ok ? { ...answer, rung: lastRung([answer.rung, "line_ending"]) } : answer;
}

function climb(source: Source, edit: Edit): Landing | Refusal | undefined {
  const hits = findOld(source, edit);
  return hits.length === 0 ? undefined : settle(source, edit, hits);
}

/**
 * The last rung: what old and new lost or gained on their way is repaired, one thing at a time. One
 * repair may be read in two ways (a blank behind a line number); both must not find lines.
 */
function climbRepaired(
  source: Source,
  edit: Edit,
  plain: { old: string; fresh: string },
): Landing | Refusal | undefined {
  const readings = repairs(plain.old, plain.fresh, edit.wholeLines ?? false);
  for (const repaired of readings) {
    const hits = findRepaired(source, edit, repaired);
    if (hits.length === 0) continue;
    const rivals = readings
      .filter((other) => other !== repaired && other.name === repaired.name)
      .flatMap((other) => findRepaired(source, edit, other))
      .filter(({ start, end }) => onLineBorders(source.text, start, end));
    if (rivals.length > 0) return refuseAmbiguous(source, edit, inOrder([...hits, ...rivals]));
    // What was escaped or numbered did not look like an omission before.
    const leak = leakedOmission(repaired.fresh, repaired.old);
    if (leak !== undefined) return refuseLeak(leak);
    const changed = withoutAlignment({ ...edit, old: repaired.old, fresh: repaired.fresh });
    const landing = settle(source, changed, hits);
    return landing.ok ? { ...landing, repair: repaired.name } : landing;
  }
  return undefined;
}

function inOrder(hits: readonly Hit[]): Hit[] {
  return hits.toSorted((a, b) => a.start - b.start);
}

function withoutAlignment({ changes: _changes, ...edit }: Edit): Edit {
  return edit;
}

/** One hit, or all where all are wanted, becomes a change; several are refused. */
function settle(
  source: Source,
  edit: Edit,
  hits: readonly Hit[],
): Landing | Refusal {
  if (hits.length > 1 && !edit.replaceAll) return refuseAmbiguous(source, edit, hits);
  const changes: TextChange[] = [];
  for (const hit of hits) {
    const aligned = edit.changes === undefined ? {} : { changes: edit.changes };
    const written = rewrite(source, hit, {
      old: withBreaks(edit.old, "\n"),
      fresh: edit.fresh,
      ...aligned,
    });
    if (written === undefined) {
      return refuse(
        "not_found",
        "old text fits with other indentation only, and a new line has none to match it",
        { places: lineNumbers(source.text, [hit.start]) },
      );
    }
    changes.push(...written);
  }
  return changes.length === 0
    ? refuse("no_change", SAME_BYTES)
    : { ok: true, rung: lastRung(hits.map((hit) => hit.rung)), hits, changes };
}

function refuseAmbiguous(
  source: Source,
  edit: Pick<Edit, "old">,
  hits: readonly Hit[],
): Refusal {
  const places = lineNumbers(source.text, hits.slice(0, MAX_PLACES).map((hit) => hit.start));
  const more = hits.length < MAX_HITS ? "" : " or more";
  const detail = `old text fits ${hits.length} places${more}`;
  return refuse("ambiguous", detail, { places, count: hits.length, old: edit.old });
}

function refuseLeak(line: string): Refusal {
  return refuse(
    "placeholder",
    `new text leaves code out ("${line}"), and old text has no such line`,
  );
}

function notFound({ old, fresh }: Edit): Refusal {
  return refuse("not_found", "", { old, fresh });
}
