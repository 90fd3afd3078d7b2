import type { Refusal } from "./refusal.ts";

/** Which tool's words the advice uses. */
export type EditForm = "edit" | "patch" | "codex";

/** The last line of a message: what to do about a refusal. */
export function nextLines(refusal: Refusal, form: EditForm): string[] {
  const old = form === "edit" ? "old_string" : form === "patch" ? "the ORIGINAL part" : "the hunk";
  switch (refusal.reason) {
    case "not_found":
      return ["Next: resend the edit with the file's text, or read the file first."];
    case "ambiguous":
      return form === "edit"
        ? [
          `Next: add a neighbouring line to old_string, or pass replace_all: true for all ${refusal.count}.`,
        ]
        : [
          `Next: add a neighbouring line to ${old}${
            form === "codex" ? ", or a closer @@ anchor" : ""
          }.`,
        ];
    case "placeholder":
      return ["Next: write the code out; nothing may stand for code that is not there."];
    case "no_change":
      return ["Next: nothing, if this is what you want; else send another new text."];
    case "empty_old":
      return [`Next: give ${old} the lines beside the place, or use write_file for a whole file.`];
    case "overlap":
      return ["Next: join the overlapping hunks into one."];
    case "malformed":
      return [
        form === "codex"
          ? CODEX_FORM
          : form === "patch"
          ? PATCH_FORM
          : "Next: send the arguments as described.",
      ];
    case "stale_anchor":
    case "guard_failed":
    case "duplicate_anchor":
      return ["Next: take the anchors from the rows shown, one operation for each."];
    case "exists":
      return ["Next: update the file that is there, or take another path."];
    case "not_a_file":
      return ["Next: look for the right path with glob or list_dir."];
    case "unverified":
      return ["Next: use edit_file or patch for this change."];
  }
}

const PATCH_FORM = 'Next: write each hunk as a line "<<<<<<< ORIGINAL", the old lines, ' +
  'a line "=======", the new lines, a line ">>>>>>> UPDATED", and nothing else.';
const CODEX_FORM =
  'Next: write "*** Begin Patch", for each file "*** Update File: PATH" with hunks ' +
  'of "@@", context (" "), removed ("-") and added ("+") lines, then "*** End Patch".';
