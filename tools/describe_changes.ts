import * as z from "zod";
import { unifiedDiff } from "../edit/diff.ts";
import { lastRung, type Rung } from "../edit/hit.ts";
import { changedRanges } from "../edit/numbered.ts";
import { sortChanges } from "../edit/rewrite.ts";
import { successMessage } from "../edit/success_message.ts";
import { decodeText } from "../edit/encoding.ts";
import { splitLines } from "../edit/text.ts";
import { edited } from "./edit_result.ts";
import type { FileChange } from "./file_changes.ts";

const fileChanged = z.object({
  path: z.string(),
  change: z.enum(["edited", "added", "deleted", "moved", "rewritten"]),
  /** The path before a move. */
  from: z.string().optional(),
  rung: z.string().optional(),
  lines: edited.shape.lines.optional(),
});

/** The value of a call that changed all its files. */
export const manyEdited = z.object({
  ok: z.literal(true),
  /** All paths, as people list them. */
  path: z.string(),
  rung: z.string().optional(),
  files: z.array(fileChanged),
  message: z.string(),
});

export type ManyEdited = z.infer<typeof manyEdited>;

/** Lines of all files' texts shown at the most; past it a file has one line. */
const MAX_ROWS = 80;

/** What was done, file by file. */
export function describeChanges(changes: readonly FileChange[]): ManyEdited {
  const shown = changes.filter((change) => !isMovedAway(change));
  const files = shown.map(describeOne);
  const rungs = shown.flatMap(({ edit }) => edit ? [edit.fresh.rung] : []);
  return {
    ok: true,
    path: files.map(({ path }) => path).join(", "),
    ...(rungs.length === 0 ? {} : { rung: lastRung(rungs) satisfies Rung }),
    files,
    message: messageOf(shown),
  };
}

/** The place that a file moved away from: it is told of where the file went. */
function isMovedAway({ request, after }: FileChange): boolean {
  return request.kind === "update" && after === undefined;
}

function describeOne(change: FileChange): ManyEdited["files"][number] {
  const { shown: path, edit, movedFrom } = change;
  return {
    path,
    change: kindOf(change),
    ...(movedFrom && { from: movedFrom.shown }),
    ...(edit && {
      rung: edit.fresh.rung,
      lines: changedRanges(splitLines(edit.fresh.text), sortChanges(edit.fresh.changes)),
    }),
  };
}

function kindOf({ request, movedFrom }: FileChange): ManyEdited["files"][number]["change"] {
  switch (request.kind) {
    case "update":
      return movedFrom ? "moved" : "edited";
    case "add":
      return "added";
    case "delete":
      return "deleted";
    case "rewrite":
      return "rewritten";
  }
}

function messageOf(changes: readonly FileChange[]): string {
  let left = MAX_ROWS;
  return changes.map((change) => {
    const rows = wordsFor(change).split("\n");
    left -= rows.length;
    return left >= 0 ? rows.join("\n") : rows[0]?.replace(/:$/, ".") ?? "";
  }).join("\n");
}

function wordsFor({ shown, request, after, edit, movedFrom }: FileChange): string {
  const moved = movedFrom ? [`Moved ${movedFrom.shown} to ${shown}.`] : [];
  if (edit) return [...moved, successMessage(shown, edit.fresh)].join("\n");
  if (movedFrom) return moved.join("\n");
  if (!after) return `Deleted ${shown}.`;
  const count = after.bytes.filter((byte) => byte === 10).length;
  const verb = request.kind === "add" ? "Made" : "Rewrote";
  return `${verb} ${shown} (${count === 1 ? "1 line" : `${count} lines`}).`;
}

/** The unified diffs of all changes. */
export function diffOf(changes: readonly FileChange[]): string {
  return changes.filter((change) => !isMovedAway(change)).map((change) => {
    const { shown, before, after, movedFrom } = change;
    const source = movedFrom?.content ?? before;
    const old = textOf(source?.bytes);
    const fresh = textOf(after?.bytes);
    const names = {
      old: source && (movedFrom?.shown ?? shown),
      fresh: after && shown,
    };
    const diff = old === undefined || fresh === undefined
      ? `Binary file ${names.old ?? "/dev/null"} becomes ${names.fresh ?? "/dev/null"}\n`
      : unifiedDiff(names, old, fresh);
    // The diff of an empty or an unchanged file has no lines.
    return diff === ""
      ? `${names.old ?? "/dev/null"} becomes ${names.fresh ?? "/dev/null"}\n`
      : diff;
  }).join("");
}

/** Undefined for what is no text. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes) return "";
  const decoded = decodeText(bytes);
  return decoded.ok ? decoded.text : undefined;
}
