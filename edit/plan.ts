import { applyCodexHunks } from "./codex.ts";
import type { CodexFile } from "./codex_grammar.ts";
import { unifiedDiff } from "./diff.ts";
import { applyHunks } from "./hunks.ts";
import type { Replacement } from "./ladder.ts";
import type { FileHunks } from "./many.ts";
import { leakedOmission } from "./placeholder.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";

/** What becomes of one path; a move is a file that goes and one that comes. */
export interface PlannedFile {
  readonly path: string;
  /** Undefined for a file that comes. */
  readonly before: string | undefined;
  /** Undefined for a file that goes. */
  readonly after: string | undefined;
  /** How the text changed, where hunks did it. */
  readonly edit?: Replacement;
  /** Where a file that comes was before. */
  readonly movedFrom?: string;
}

/** Answers the text of a path as it is now, undefined where no file is. */
export type TextOf = (path: string) => string | undefined;

/** Works out a patch of many files whole, before anything is written: all of it, or a refusal. */
export function planHunks(files: readonly FileHunks[], textOf: TextOf): PlannedFile[] | Refusal {
  return planEach(files, ({ path, hunks }) => {
    const before = textOf(path);
    if (before === undefined) return missing(path);
    const edit = applyHunks(before, hunks);
    return edit.ok ? [{ path, before, after: edit.text, edit }] : { ...edit, path };
  });
}

/** The same for a codex patch; updates of one path add up. */
export function planCodex(files: readonly CodexFile[], textOf: TextOf): PlannedFile[] | Refusal {
  const merged = mergeUpdates(files);
  return isRefusal(merged) ? merged : planEach(merged, (file) => {
    const before = textOf(file.path);
    switch (file.kind) {
      case "add":
        return before === undefined ? planAdded(file.path, file.text) : taken(file.path);
      case "delete":
        if (before === undefined) return missing(file.path);
        return [{ path: file.path, before, after: undefined }];
      case "update":
        return before === undefined ? missing(file.path) : planUpdate(file, before, textOf);
    }
  });
}

/** The whole plan as one unified diff. */
export function planDiff(plan: readonly PlannedFile[]): string {
  const moved = new Set(plan.map(({ movedFrom }) => movedFrom));
  return plan.filter(({ path, after }) => after !== undefined || !moved.has(path))
    .map(({ path, before, after, movedFrom }) => {
      const source = plan.find((file) => file.path === movedFrom)?.before;
      const old = before === undefined ? movedFrom : path;
      const fresh = after === undefined ? undefined : path;
      const diff = unifiedDiff({ old, fresh }, source ?? before ?? "", after ?? "");
      return diff === "" && old !== fresh ? `--- a/${old}\n+++ b/${fresh}\n` : diff;
    }).join("");
}

function planEach<F>(
  files: readonly F[],
  planOne: (file: F) => PlannedFile[] | Refusal,
): PlannedFile[] | Refusal {
  const plan: PlannedFile[] = [];
  for (const file of files) {
    const planned = planOne(file);
    if (isRefusal(planned)) return planned;
    plan.push(...planned);
  }
  return twice(plan.map(({ path }) => path)) ?? plan;
}

function planAdded(path: string, text: string): PlannedFile[] | Refusal {
  const leak = leakedOmission(text, "");
  return leak === undefined
    ? [{ path, before: undefined, after: text }]
    : refuse("placeholder", `the new file leaves code out ("${leak}")`, { path });
}

function planUpdate(
  { path, moveTo, hunks }: Extract<CodexFile, { kind: "update" }>,
  before: string,
  textOf: TextOf,
): PlannedFile[] | Refusal {
  const edit = hunks.length === 0 ? undefined : applyCodexHunks(before, hunks);
  if (edit?.ok === false) return { ...edit, path };
  const after = edit?.text ?? before;
  const how = edit === undefined ? {} : { edit };
  if (moveTo === undefined || moveTo === path) return [{ path, before, after, ...how }];
  if (textOf(moveTo) !== undefined) return taken(moveTo);
  return [
    { path, before, after: undefined },
    { path: moveTo, before: undefined, after, movedFrom: path, ...how },
  ];
}

function mergeUpdates(files: readonly CodexFile[]): CodexFile[] | Refusal {
  const merged = new Map<string, CodexFile>();
  for (const file of files) {
    const before = merged.get(file.path);
    if (before === undefined) merged.set(file.path, file);
    else if (before.kind === "update" && file.kind === "update") {
      merged.set(file.path, { ...before, ...file, hunks: [...before.hunks, ...file.hunks] });
    } else return refuse("malformed", `"${file.path}" is named twice`, { path: file.path });
  }
  return [...merged.values()];
}

function twice(paths: readonly string[]): Refusal | undefined {
  const path = paths.find((path, index) => paths.indexOf(path) !== index);
  return path === undefined ? undefined : refuse("malformed", `"${path}" is named twice`, { path });
}

function missing(path: string): Refusal {
  return refuse("not_a_file", `there is no file "${path}"`, { path });
}

function taken(path: string): Refusal {
  return refuse("exists", `"${path}" is there already`, { path });
}
