import { applyCodexHunks } from "../edit/codex.ts";
import { type CodexFile, type CodexHunk, parseCodex } from "../edit/codex_grammar.ts";
import type { Hunk } from "../edit/hunk_grammar.ts";
import { applyHunks } from "../edit/hunks.ts";
import type { Replacement } from "../edit/ladder.ts";
import { parseList } from "../edit/many.ts";
import { isRefusal, type Refusal, refuse } from "../edit/refusal.ts";
import type { Source } from "../edit/source.ts";

/** Hunks of one file, in one of the two notations. */
export type Hunks =
  | { readonly form: "patch"; readonly hunks: readonly Hunk[] }
  | { readonly form: "codex"; readonly hunks: readonly CodexHunk[] };

/** What a call asks of one file. */
export type FileRequest =
  | {
    readonly kind: "update";
    readonly path: string;
    readonly hunks: Hunks;
    /** The file's new path, where it moves as well; without hunks it only moves. */
    readonly moveTo?: string;
  }
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  /** Removed and added again by one call: the file gets a whole new text. */
  | { readonly kind: "rewrite"; readonly path: string; readonly text: string };

/** The two ways in which a call may say what it wants. */
export interface ManyArguments {
  readonly patches?: readonly { readonly path: string; readonly patch: string }[] | undefined;
  /** In codex's format. */
  readonly patch?: string | undefined;
}

/** Reads what a call asks for, file by file in its order. */
export function readRequests({ patches, patch }: ManyArguments): readonly FileRequest[] | Refusal {
  if (patch !== undefined) {
    const files = parseCodex(patch);
    return isRefusal(files) ? files : files.map(asRequest);
  }
  const files = parseList(patches ?? []);
  return isRefusal(files) ? files : files.map(({ path, hunks }) => ({
    kind: "update",
    path,
    hunks: { form: "patch", hunks },
  }));
}

function asRequest(file: CodexFile): FileRequest {
  if (file.kind !== "update") return file;
  const { hunks, ...update } = file;
  return { ...update, hunks: { form: "codex", hunks } };
}

/** Joins two requests for one file: hunks add up, and what was deleted may be added again. */
export function joinRequests(first: FileRequest, second: FileRequest): FileRequest | Refusal {
  if (first.kind === "update" && second.kind === "update") return joinUpdates(first, second);
  if (first.kind === "delete" && second.kind === "add") {
    return { kind: "rewrite", path: first.path, text: second.text };
  }
  const how = `${second.kind} after ${first.kind}`;
  return refuse("malformed", `the call names ${second.path} twice (${how})`, { path: second.path });
}

type Update = FileRequest & { kind: "update" };

function joinUpdates(first: Update, second: Update): FileRequest | Refusal {
  const { path, moveTo = second.moveTo } = first;
  if (moveTo !== (second.moveTo ?? moveTo)) {
    return refuse("malformed", `the call moves ${path} to two places`, { path });
  }
  const hunks = joinHunks(first.hunks, second.hunks);
  return { kind: "update", path, hunks, ...(moveTo === undefined ? {} : { moveTo }) };
}

function joinHunks(first: Hunks, second: Hunks): Hunks {
  if (first.form === "patch" && second.form === "patch") {
    return { form: "patch", hunks: [...first.hunks, ...second.hunks] };
  }
  if (first.form === "codex" && second.form === "codex") {
    return { form: "codex", hunks: [...first.hunks, ...second.hunks] };
  }
  throw new TypeError("Cannot join hunks of two notations: one call has one of them");
}

/** Applies the hunks to a file. */
export function applyRequest(source: Source, hunks: Hunks): Replacement | Refusal {
  return hunks.form === "patch"
    ? applyHunks(source, hunks.hunks)
    : applyCodexHunks(source, hunks.hunks);
}
