import * as z from "zod";
import { unifiedDiff } from "../edit/diff.ts";
import type { Refusal } from "../edit/refusal.ts";
import type { Saved } from "../edit/save.ts";
import { Source } from "../edit/source.ts";
import { encodeText } from "../edit/encoding.ts";
import { splitLines } from "../edit/text.ts";
import type { ReadFiles, WriteFiles } from "../sandbox/files/files.ts";
import { byteSize } from "./byte_size.ts";
import { halfCharacter, mustBePlanned, stale } from "./apply_edit.ts";
import { type NotEdited, notEdited, notEditedValue, renderNotEdited } from "./edit_result.ts";
import { explainRefusal } from "./explain_refusal.ts";
import { lookAt } from "./file_places.ts";
import { asText, type TextFile } from "./text_file.ts";
import type { Plan } from "./tool.ts";

/** What write_file and append_file share: a file that may be there or not gets a new text. */
export interface Save {
  readonly path: string;
  /** The text to write or to add, as it came. */
  readonly content: string;
  /** Works out the new text; `before` is undefined where no file is there. Pure. */
  readonly apply: (before: string | undefined, content: string) => Saved | Refusal;
  /** Whether the new text is worked out anew where the file changed meanwhile; else `stale`. */
  readonly follows: boolean;
}

/** A new text that was worked out and not yet written. */
export interface PlannedSave {
  readonly ok: true;
  /** Undefined where the file is to be made. */
  readonly file: TextFile | undefined;
  readonly saved: Saved;
}

const written = z.object({
  ok: z.literal(true),
  path: z.string(),
  created: z.boolean(),
  /** The file had this content already; nothing was written. */
  unchanged: z.boolean(),
  newline_added: z.boolean(),
  /** Of the whole file, now. */
  lines: z.number(),
  bytes: z.number(),
  hint: z.string().optional(),
});

/** The value of write_file and append_file. */
export const saveResult = z.union([written, notEdited]);

type SaveValue = z.infer<typeof saveResult>;

/** How often a text is worked out anew because the file changed meanwhile. */
const ATTEMPTS = 50;

/** Looks at what is there, and works the new text out; a refusal touches nothing. */
export async function planSave(
  files: Pick<ReadFiles, "read" | "stat">,
  save: Save,
): Promise<Plan<PlannedSave | NotEdited>> {
  const { path } = save;
  const prepared = await workOut(files, save);
  if (!prepared.ok || prepared.saved.unchanged) {
    return { touches: [{ kind: "read", path }], prepared };
  }
  const { file, saved } = prepared;
  return {
    touches: [{ kind: "write", path }],
    get preview() {
      const shown = file?.content.facts.path ?? path;
      const names = { old: file === undefined ? undefined : shown, fresh: shown };
      return unifiedDiff(names, file?.text ?? "", saved.text);
    },
    prepared,
  };
}

/** Writes a planned text: makes the file, or replaces what it holds. */
export async function writeSave(
  files: WriteFiles,
  save: Save,
  planned: PlannedSave | NotEdited | undefined,
): Promise<SaveValue> {
  let current = mustBePlanned(planned);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!current.ok) return current;
    if (current.saved.unchanged) return savedValue(save.path, current);
    const answer = await writeOnce(files, save.path, current);
    if (answer.ok) return savedValue(answer.path, current);
    if (answer.reason !== "stale" && answer.reason !== "exists") return notEditedValue(answer);
    if (!save.follows) break;
    current = await workOut(files, save);
  }
  return stale(save.path);
}

async function workOut(
  files: Pick<ReadFiles, "read" | "stat">,
  { path, content, apply }: Save,
): Promise<PlannedSave | NotEdited> {
  const file = await readIfThere(files, path);
  if (file?.ok === false) return file;
  const before = file?.text;
  // The mark is the file's and not the text's: it stays, and is not written twice.
  const saved = apply(before, file?.bom ? content.replace(/^\uFEFF/, "") : content);
  if (!saved.ok) {
    return explainRefusal(path, new Source(before ?? ""), saved, {
      form: "edit",
      recovery: "none",
    });
  }
  return saved.text.isWellFormed() ? { ok: true, file, saved } : halfCharacter(path);
}

/** Undefined where a file can be made. */
async function readIfThere(
  files: Pick<ReadFiles, "read" | "stat">,
  path: string,
): Promise<TextFile | NotEdited | undefined> {
  const looked = await lookAt(files, path);
  if (looked.kind === "refused") return looked.refusal;
  return looked.kind === "file" ? asText(looked.content) : undefined;
}

async function writeOnce(files: WriteFiles, path: string, { file, saved }: PlannedSave) {
  if (file === undefined) {
    const created = await files.create(path, encodeText(saved.text, false));
    return created.ok ? { ok: true as const, path: created.facts.path } : created;
  }
  const { version, bytes, facts } = file.content;
  const whole = { start: 0, end: bytes.length, bytes: encodeText(saved.text, file.bom) };
  const replaced = await files.replace(path, version, [whole]);
  return replaced.ok ? { ok: true as const, path: facts.path } : replaced;
}

function savedValue(path: string, { file, saved }: PlannedSave): SaveValue {
  const { text, unchanged, newlineAdded, hint } = saved;
  return {
    ok: true,
    path: file?.content.facts.path ?? path,
    created: file === undefined,
    unchanged,
    newline_added: newlineAdded,
    lines: splitLines(text).count,
    bytes: encodeText(text, file?.bom ?? false).length,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** The model's view; `verb` says what was done to a file that was there, as "Wrote". */
export function renderSave(value: SaveValue, verb: string): string {
  if (!value.ok) return renderNotEdited(value);
  const { path, created, unchanged, newline_added, lines, bytes, hint } = value;
  const size = `${lines === 1 ? "1 line" : `${lines} lines`}, ${byteSize(bytes)}`;
  const done = unchanged
    ? `[unchanged] ${path} has this very content already, nothing was written (${size}).`
    : created
    ? `Made ${path} (${size}).`
    : `${verb} ${path} (now ${size}).`;
  return [
    done,
    ...(newline_added && !unchanged ? ["A line break was added at its end."] : []),
    ...(hint === undefined || unchanged ? [] : [`${hint}.`]),
  ].join("\n");
}
