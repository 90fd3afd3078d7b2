import type { Replacement } from "../edit/ladder.ts";
import type { Refusal } from "../edit/refusal.ts";
import type { Source } from "../edit/source.ts";
import { successMessage } from "../edit/success_message.ts";
import type { Edit } from "./apply_edit.ts";
import { explainRefusal, type FailureView } from "./explain_refusal.ts";

/** An edit whose places the ladder finds. */
export interface LadderEdit {
  readonly path: string;
  readonly view: FailureView;
  apply(source: Source): Replacement | Refusal;
  /** Advice about an edit that landed; a sentence without final period. */
  hint?(fresh: Replacement): string | undefined;
}

/** The edit with the messages that all edits by the ladder share. */
export function ladderEdit(edit: LadderEdit): Edit<Replacement> {
  return {
    path: edit.path,
    apply: (source) => edit.apply(source),
    explain: (path, source, refusal) => explainRefusal(path, source, refusal, edit.view),
    describe(path, fresh, { lines }) {
      const hint = edit.hint?.(fresh);
      return {
        count: fresh.count,
        message: successMessage(path, fresh, lines),
        ...(hint === undefined ? {} : { hint }),
      };
    },
  };
}
