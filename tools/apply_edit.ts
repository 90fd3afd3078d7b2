import { byteSplices } from "../edit/byte_splices.ts";
import { unifiedDiff } from "../edit/diff.ts";
import type { Rung } from "../edit/hit.ts";
import { changedRanges } from "../edit/numbered.ts";
import { changedElsewhere } from "../edit/rebase.ts";
import type { Refusal } from "../edit/refusal.ts";
import { sortChanges, type TextChange } from "../edit/rewrite.ts";
import { Source } from "../edit/source.ts";
import { type Lines, splitLines } from "../edit/text.ts";
import type { FileContent, ReadFiles, WriteFiles } from "../sandbox/files/files.ts";
import { type Edited, type NotEdited, notEditedValue } from "./edit_result.ts";
import { asText, readTextFile, type TextFile } from "./text_file.ts";
import type { Plan } from "./tool.ts";

/** What an engine makes of a file's text. */
export interface NewText {
  readonly ok: true;
  readonly text: string;
  /** Ranges of the old text. */
  readonly changes: readonly TextChange[];
  readonly rung?: Rung;
}

/** An edit of one file, as its tool understands it; its functions are pure. */
export interface Edit<F extends NewText = NewText, R extends Refusal = Refusal> {
  readonly path: string;
  /** Works out the new text from the present one, or refuses. */
  apply(source: Source): F | R;
  /** Says why it was refused. */
  explain(path: string, source: Source, refusal: R): NotEdited;
  /** Says what was done to the text `before`; `lines` are those of the new text. */
  describe(
    path: string,
    fresh: F,
    texts: { readonly before: string; readonly lines: Lines },
  ): Pick<Edited, "count" | "message" | "hint">;
}

/** An edit that was worked out and not yet written. */
export interface PlannedEdit<F extends NewText = NewText> {
  readonly ok: true;
  readonly file: TextFile;
  readonly fresh: F;
}

/** How often an edit is worked out anew because other lines of the file changed meanwhile. */
const ATTEMPTS = 50;

/** Reads the file, and plans the edit. */
export async function planEdit<F extends NewText, R extends Refusal>(
  files: Pick<ReadFiles, "read" | "list">,
  edit: Edit<F, R>,
): Promise<Plan<PlannedEdit<F> | NotEdited>> {
  const file = await readTextFile(files, edit.path);
  return asPlan(edit.path, file.ok ? workOut(file, edit) : file);
}

/** What is refused already touches nothing, so that nobody is asked about it. */
export function asPlan<F extends NewText>(
  path: string,
  prepared: PlannedEdit<F> | NotEdited,
): Plan<PlannedEdit<F> | NotEdited> {
  if (!prepared.ok) return { touches: [{ kind: "read", path }], prepared };
  const { file, fresh } = prepared;
  return {
    touches: [{ kind: "write", path }],
    // Worked out when somebody looks: most edits ask nobody.
    get preview() {
      return unifiedDiff(file.content.facts.path, file.text, fresh.text);
    },
    prepared,
  };
}

/**
 * Writes a planned edit. Where the file changed meanwhile the edit is worked out anew, and written
 * if it is still the same one: the same text at its place becomes the same new text.
 */
export async function writeEdit<F extends NewText, R extends Refusal>(
  files: Pick<WriteFiles, "replace">,
  edit: Edit<F, R>,
  planned: PlannedEdit<F> | NotEdited | undefined,
): Promise<Edited | NotEdited> {
  let current = mustBePlanned(planned);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!current.ok) return current;
    const { file, fresh } = current;
    const { text, bom, content } = file;
    const encoded = { text, bom, size: content.bytes.length };
    const splices = byteSplices(encoded, sortChanges(fresh.changes));
    const written = await files.replace(edit.path, content.version, splices);
    if (written.ok) return editedValue(current, edit);
    if (!("current" in written)) return notEditedValue(written);
    current = workOutAgain(current, edit, written.current);
  }
  return stale(edit.path);
}

/**
 * What `plan` left for `run`.
 * @throws {TypeError} where it left nothing: then the caller has made its own plan.
 */
export function mustBePlanned<P>(prepared: P | undefined): P {
  if (prepared === undefined) throw new TypeError("Cannot run an edit that was not planned");
  return prepared;
}

/** Works an edit out on a file's text. */
export function workOut<F extends NewText, R extends Refusal>(
  file: TextFile,
  edit: Edit<F, R>,
): PlannedEdit<F> | NotEdited {
  const source = new Source(file.text);
  const fresh = edit.apply(source);
  const { path } = file.content.facts;
  if (!fresh.ok) return edit.explain(path, source, fresh);
  if (!fresh.changes.every(({ text }) => text.isWellFormed())) return halfCharacter(path);
  return { ok: true, file, fresh };
}

/** Refuses text that UTF-8 cannot carry. */
export function halfCharacter(path: string): NotEdited {
  const message = "the new text holds half of a character (a lone surrogate): send it whole";
  return notEditedValue({ ok: false, reason: "encoding", path, message });
}

/** The same edit on the file's present content; `stale` where it is another, or none. */
function workOutAgain<F extends NewText, R extends Refusal>(
  before: PlannedEdit<F>,
  edit: Edit<F, R>,
  content: FileContent,
): PlannedEdit<F> | NotEdited {
  const file = asText(content);
  const now = file.ok ? workOut(file, edit) : file;
  return now.ok && isSameEdit(before, now) ? now : stale(edit.path);
}

/**
 * Whether an edit that was worked out anew is the one that was planned: the file changed in other
 * lines only, and the same new text comes in place of the same old one.
 */
export function isSameEdit(planned: PlannedEdit, now: PlannedEdit): boolean {
  return planned.fresh.rung === now.fresh.rung && exchanged(planned) === exchanged(now) &&
    changedElsewhere(planned.file.text, now.file.text, planned.fresh.changes);
}

/** What goes and what comes, in file order. */
function exchanged({ file, fresh }: PlannedEdit): string {
  const pairs = sortChanges(fresh.changes)
    .map(({ start, end, text }) => [file.text.slice(start, end), text]);
  return JSON.stringify(pairs);
}

/** The refusal of an edit whose own lines were changed by somebody else. */
export function stale(path: string): NotEdited {
  const message = `another program changed ${path} at this very place: read it again`;
  return notEditedValue({ ok: false, reason: "stale", path, message });
}

/** The value of an edit that was written. */
function editedValue<F extends NewText>(
  { file, fresh }: PlannedEdit<F>,
  edit: Pick<Edit<F, never>, "describe">,
): Edited {
  const { path } = file.content.facts;
  const lines = splitLines(fresh.text);
  return {
    ok: true,
    path,
    ...(fresh.rung === undefined ? {} : { rung: fresh.rung }),
    lines: changedRanges(lines, sortChanges(fresh.changes)),
    ...edit.describe(path, fresh, { before: file.text, lines }),
  };
}
