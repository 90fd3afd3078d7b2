import { MAX_HITS } from "./hit.ts";
import type { Reason, Refusal } from "./refusal.ts";

/** Which tool's words the advice uses. */
export type EditForm = "edit" | "patch" | "codex";

/** The last line of a message: what to do about a refusal. */
export function nextLine(refusal: Refusal, form: EditForm): string {
  const advice = ADVICE[refusal.reason];
  return `Next: ${typeof advice === "string" ? advice : advice(form, refusal)}.`;
}

type Advice = string | ((form: EditForm, refusal: Refusal) => string);

/** What each form calls the text that is looked for. */
const OLD: Readonly<Record<EditForm, string>> = {
  edit: "old_string",
  patch: "the ORIGINAL part",
  codex: "the hunk",
};

const FORM: Readonly<Record<EditForm, string>> = {
  edit: "send the arguments as described",
  patch: 'write each hunk as a line "<<<<<<< ORIGINAL", the old lines, a line "=======", ' +
    'the new lines, a line ">>>>>>> UPDATED", and nothing else',
  codex: 'write "*** Begin Patch", for each file "*** Update File: PATH" with hunks of "@@", ' +
    'context (" "), removed ("-") and added ("+") lines, then "*** End Patch"',
};

const REANCHOR = "take the anchors from the rows shown, one operation for each";

const ADVICE: Readonly<Record<Reason, Advice>> = {
  not_found: afterMiss,
  ambiguous: moreContext,
  placeholder: "write the code out; nothing may stand for code that is not there",
  no_change: "nothing, if this is what you want; else send another new text",
  empty_old: (form) =>
    `give ${OLD[form]} the lines beside the place, or use write_file for a whole file`,
  overlap: "join the overlapping hunks into one",
  malformed: (form) => FORM[form],
  stale_anchor: REANCHOR,
  guard_failed: REANCHOR,
  duplicate_anchor: REANCHOR,
  exists: "update the file that is there, or take another path",
  not_a_file: "look for the right path with glob or list_dir",
  unverified: "use edit_file or patch for this change",
};

/** What stands in place of a secret wherever a file is shown. */
const REDACTED = /\[redacted: [^\]\n]+\]/;

function afterMiss(form: EditForm, { anchor, old = "" }: Refusal): string {
  const [marker] = REDACTED.exec(old) ?? [];
  if (marker !== undefined) {
    return `leave ${marker} out of ${OLD[form]}: it stands for a value that you are not shown`;
  }
  return anchor === undefined
    ? "resend the edit with the file's text, or read the file first"
    : "copy the anchor from the file, or leave it out where the hunk's lines are unique";
}

function moreContext(form: EditForm, { count = 0, anchor }: Refusal): string {
  if (anchor !== undefined) return "write a line above it as another @@ anchor before it";
  const line = `add a neighbouring line to ${OLD[form]}`;
  switch (form) {
    case "edit":
      return `${line}, or pass replace_all: true for all ${count < MAX_HITS ? count : "of them"}`;
    case "patch":
      return line;
    case "codex":
      return `${line}, or a closer @@ anchor`;
  }
}
