import { combine, landEach } from "./combine.ts";
import { findOld } from "./find.ts";
import { type Hit, lastRung } from "./hit.ts";
import type { Hunk } from "./hunk_grammar.ts";
import { type Edit, land, type Landing, type Replacement } from "./ladder.ts";
import { isOmission, leakedOmission } from "./placeholder.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import { Source } from "./source.ts";
import { isBlank } from "./text.ts";

/** Applies hunks to a file; all are located in the original, and all go or none. */
export function applyHunks(file: string | Source, hunks: readonly Hunk[]): Replacement | Refusal {
  const source = typeof file === "string" ? new Source(file) : file;
  const parts = landEach(hunks, (hunk) => {
    const answer = landHunk(source, hunk);
    return answer.ok ? { landing: answer, claims: answer.hits } : withTexts(answer, hunk);
  });
  return isRefusal(parts) ? parts : combine(source.text, parts);
}

function withTexts(refusal: Refusal, { old, fresh }: Hunk): Refusal {
  return { old: joined(old), fresh: joined(fresh), ...refusal };
}

/** Lines as a text in which each has its break. */
function joined(lines: readonly string[]): string {
  return lines.map((line) => line + "\n").join("");
}

function landHunk(source: Source, hunk: Hunk): Landing | Refusal {
  if (source.text === "" && hunk.old.every(isBlank)) return fillEmpty(hunk);
  if (hunk.old.length === 0) {
    return refuse(
      "malformed",
      "the ORIGINAL part is empty and so names no place: write a line beside it into both parts",
    );
  }
  const whole = land(source, lineEdit(hunk.old, hunk.fresh));
  const elided = [hunk.old, hunk.fresh].map((lines) => lines.filter(isOmission).length);
  const [inOld = 0, inNew = 0] = elided;
  const open = !whole.ok && (whole.reason === "not_found" || whole.reason === "placeholder");
  if (!open || inOld === 0 || inNew === 0) return whole;
  return inOld === inNew
    ? landPieces(source, hunk)
    : refuse("placeholder", `ORIGINAL has ${inOld} omission comments and UPDATED ${inNew}`);
}

function lineEdit(old: readonly string[], fresh: readonly string[]): Edit {
  return { old: joined(old), fresh: joined(fresh), wholeLines: true };
}

function fillEmpty({ fresh }: Hunk): Landing | Refusal {
  const text = joined(fresh);
  const leak = leakedOmission(text, "");
  if (leak !== undefined) return refuse("placeholder", `new text leaves code out ("${leak}")`);
  if (text === "") return refuse("no_change", "the file is empty already");
  return { ok: true, rung: "exact", hits: [], changes: [{ start: 0, end: 0, text }] };
}

/** Omission comments in both parts stand for the same lines: what lies between them are edits. */
function landPieces(source: Source, hunk: Hunk): Landing | Refusal {
  const fresh = splitAtOmissions(hunk.fresh);
  const landings: Landing[] = [];
  let free = 0;
  for (const [index, old] of splitAtOmissions(hunk.old).entries()) {
    const piece = fresh[index] ?? [];
    if (old.length === 0 && piece.length === 0) continue;
    const place = landPiece(source, old, piece, free);
    if (isRefusal(place)) return place;
    const [start, end] = rangeOf(place);
    if (start < free) {
      return refuse("not_found", "the parts around an omission comment stand in another order");
    }
    free = end;
    if ("ok" in place) landings.push(place);
  }
  if (landings.length === 0) return refuse("no_change", "old and new text are the same");
  return {
    ok: true,
    rung: lastRung(landings.map((landing) => landing.rung)),
    hits: landings.flatMap((landing) => landing.hits),
    changes: landings.flatMap((landing) => landing.changes),
  };
}

function rangeOf(place: Landing | Hit): [start: number, end: number] {
  const hits = "ok" in place ? place.hits : [place];
  return [hits[0]?.start ?? 0, hits.at(-1)?.end ?? 0];
}

function splitAtOmissions(lines: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (isOmission(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

/**
 * A changed piece must be unique like every edit. One that stays as it is must be there, behind the
 * piece before it; as nothing is written to it, twins do no harm.
 */
function landPiece(
  source: Source,
  old: readonly string[],
  fresh: readonly string[],
  free: number,
): Landing | Hit | Refusal {
  if (old.length === 0) {
    return refuse(
      "empty_old",
      "new lines next to an omission comment have no old text beside them",
    );
  }
  const edit = lineEdit(old, fresh);
  if (edit.old !== edit.fresh) return withOld(land(source, edit), edit);
  const [hit] = findOld(source, { ...edit, from: free });
  return hit ?? refuse("not_found", "", { old: edit.old, fresh: edit.fresh });
}

function withOld(answer: Landing | Refusal, { old, fresh }: Edit): Landing | Refusal {
  return answer.ok ? answer : { old, fresh, ...answer };
}

/** A hint for a patch over 1 000 characters that is larger than the file it leaves. */
export function sizeHint(patch: string, result: string): string | undefined {
  return patch.length > HINT_LENGTH && patch.length > result.length
    ? "The patch is larger than the whole file: use smaller hunks, or write_file for a rewrite"
    : undefined;
}

/** Patches up to this length, in UTF-16 units, are never too large. */
const HINT_LENGTH = 1_000;
