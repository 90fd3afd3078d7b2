import { diffLines } from "./line_diff.ts";
import { leakedOmission } from "./placeholder.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { breakAt, lineEnding, usualBreak, withBreaks } from "./text.ts";

/** What a file will hold after it was written or appended to. */
export interface Saved {
  readonly ok: true;
  readonly text: string;
  /** True when the file holds this already, so that nothing is to be written. */
  readonly unchanged: boolean;
  /** True when a final line break was added to the content. */
  readonly newlineAdded: boolean;
  /** Advice to the model. */
  readonly hint?: string;
}

/** Files of at most this many parts between line breaks are rewritten without a word. */
const SMALL_PARTS = 10;
/** Fewer changed lines than this, or than this share of the parts, are better patched. */
const FEW_LINES = 5;
const FEW_SHARE = 0.3;

/**
 * Works out a whole new text for a file; `before` is undefined for a file that is not there. The
 * file keeps its line ending, and ends with a line break unless it is empty.
 */
export function planWrite(before: string | undefined, content: string): Saved | Refusal {
  const leak = refuseLeak(content, before ?? "");
  if (leak !== undefined) return leak;
  const adapted = before === content ? content : adaptBreaks(before ?? "", content);
  const lacking = adapted !== "" && !adapted.endsWith("\n") && adapted !== before;
  const own = lineEnding(adapted) === "none" ? before ?? "" : adapted;
  const text = lacking ? adapted + usualBreak(own) : adapted;
  const hint = before === undefined ? undefined : patchHint(before, text);
  const unchanged = before === text;
  return {
    ok: true,
    text,
    unchanged,
    newlineAdded: lacking,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Works out the text of a file with content at its end, on lines of its own that end as its last. */
export function planAppend(before: string | undefined, content: string): Saved | Refusal {
  const present = before ?? "";
  const leak = refuseLeak(content, present);
  if (leak !== undefined) return leak;
  if (content === "") {
    return { ok: true, text: present, unchanged: before !== undefined, newlineAdded: false };
  }
  const last = breakAt(present, present.length);
  const adapted = last === undefined ? content : withBreaks(content, last);
  const lineBreak = last ?? usualBreak(content);
  const gap = present === "" || present.endsWith("\n") ? "" : lineBreak;
  const lacking = !adapted.endsWith("\n");
  const text = present + gap + adapted + (lacking ? lineBreak : "");
  return { ok: true, text, unchanged: false, newlineAdded: lacking };
}

function refuseLeak(content: string, before: string): Refusal | undefined {
  const leak = leakedOmission(content, before);
  return leak === undefined
    ? undefined
    : refuse("placeholder", `the content leaves code out ("${leak}"), and would be written so`);
}

/** Content takes the line ending of a file whose lines all end in CRLF. */
function adaptBreaks(before: string, content: string): string {
  return lineEnding(before) === "CRLF" ? withBreaks(content, "\r\n") : content;
}

/** Says that a patch would have been cheaper, where it would. */
function patchHint(before: string, text: string): string | undefined {
  const old = before.split("\n");
  if (old.length <= SMALL_PARTS) return undefined;
  if (before === text) return "The file has this very content already";
  const touched = diffLines(old, text.split("\n")).reduce(
    (sum, change) => sum + change.oldEnd - change.oldStart + change.newEnd - change.newStart,
    0,
  );
  return touched < FEW_LINES || touched < old.length * FEW_SHARE
    ? `Only ${touched} lines differ of ${old.length}: patch or edit_file is cheaper for this`
    : undefined;
}
