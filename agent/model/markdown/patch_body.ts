import { parseItems, type PatchItem } from "../../../edit/hunk_grammar.ts";
import { parseBody } from "../../../edit/many.ts";
import { isRefusal, type Refusal } from "../../../edit/refusal.ts";
import { linesOf } from "../../../edit/text.ts";

/** Arguments that a body was read as, or why it is none. */
export type ReadBody =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the body of `patch_many`: one hunk for each of the paths, `=== PATH: p ===` sections, or
 * a text in codex's format. Each patch keeps its lines as written, marker lengths included.
 */
export function readPatches(body: string, paths: readonly string[]): ReadBody {
  if (paths.length === 0 && /^\s*\*\*\* Begin Patch/.test(body)) {
    return { ok: true, args: { patch: body } };
  }
  const files = parseBody(body, paths);
  if (isRefusal(files)) return refused("patch_many", files);
  const items = parseItems(body);
  if (isRefusal(items)) return refused("patch_many", items);
  const starts = paths.length > 0 ? items : items.filter(({ kind }) => kind === "outside");
  const lines = linesOf(body);
  const patches = starts.map((item, index) => ({
    path: item.kind === "hunk" ? paths[index] : headerPath(item),
    patch: lines
      .slice(
        item.kind === "hunk" ? item.line - 1 : item.line,
        (starts[index + 1]?.line ?? lines.length + 1) - 1,
      )
      .map((line) => `${line}\n`).join(""),
  }));
  return { ok: true, args: { patches } };
}

/** Reads the body of `edit_file`: one hunk, whose parts are the old and the new text. */
export function readHunk(body: string): ReadBody {
  const items = parseItems(body);
  if (isRefusal(items)) return refused("edit_file", items);
  const [item] = items;
  if (item?.kind !== "hunk" || items.length > 1) {
    const problem = "the lines inside are one hunk between <<<<<<< ORIGINAL and >>>>>>> UPDATED, " +
      "or one JSON object; for several hunks use patch";
    return { ok: false, problem: `Cannot run edit_file: ${problem}` };
  }
  const { old, fresh } = item.hunk;
  const whole = fresh.length === 0 ? "\n" : "";
  // Deleted lines go with their line break.
  return {
    ok: true,
    args: { old_string: old.join("\n") + whole, new_string: fresh.join("\n") },
  };
}

function refused(tool: string, { reason, detail }: Refusal): ReadBody {
  return {
    ok: false,
    problem: `Cannot run ${tool}: ${reason}: ${detail}\n[not edited: ${reason}]`,
  };
}

/** `p` of `=== PATH: p ===`; the caller has checked that the line is one. */
function headerPath({ text }: PatchItem & { kind: "outside" }): string {
  return text.slice("=== PATH: ".length, text.lastIndexOf(" ===")).trim();
}
