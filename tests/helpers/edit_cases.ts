import { basename, dirname, join } from "node:path";
import { readPatches } from "../../agent/model/markdown/patch_body.ts";
import { viewAnchored as anchorsOf } from "../../edit/anchors.ts";
import type { WriteFiles } from "../../sandbox/files/files.ts";
import { editTools } from "../../tools/edit_tools.ts";
import { filesIn, type Outcome, runTool } from "./tool_calls.ts";
import { snapshot } from "./snapshot.ts";
import { tempDir } from "./temp_dir.ts";

/** A case of `edit-a`: one edit of one file. */
export interface EditCase {
  readonly id: string;
  readonly kind: string;
  readonly format: "search_replace" | "conflict_patch" | "codex_patch";
  readonly file: string;
  readonly old?: string;
  readonly new?: string;
  readonly patch?: string;
  readonly replace_all?: boolean;
  readonly expect: { readonly ok: boolean; readonly result?: string; readonly reason?: string };
}

type Texts = Readonly<Record<string, string>>;

/** A case of `behaviour-a`: one call in a small world. */
export interface BehaviourCase {
  readonly id: string;
  readonly tool: string;
  readonly kind: string;
  readonly given: {
    readonly file?: string;
    readonly file_base64?: string;
    readonly files?: Texts;
    readonly outside?: Texts;
    readonly symlinks?: Texts;
    readonly viewed?: string;
    readonly fail_write?: readonly string[];
  };
  readonly do: {
    readonly path: string;
    readonly patch?: string;
    readonly content?: string;
    readonly patches?: readonly { readonly path: string; readonly patch: string }[];
    /** The text form of patch_many, and the paths that stand before it. */
    readonly body?: string;
    readonly paths?: readonly string[];
    readonly ops?: readonly Readonly<Record<string, unknown>>[];
    readonly ops_text?: string;
  };
  readonly expect: {
    readonly ok: boolean;
    readonly file?: string;
    readonly files?: Texts;
    readonly hint?: boolean;
    readonly error_kind?: string;
  };
}

/** The lines of a file of cases. */
export async function readCases<T>(name: string): Promise<T[]> {
  const path = new URL(`../fixtures/cases/${name}.jsonl`, import.meta.url);
  return (await Deno.readTextFile(path)).trim().split("\n").map((line) => JSON.parse(line));
}

/** The tools of ours that play the tools of the cases. */
const TOOLS: Readonly<Record<string, string>> = {
  patch: "patch",
  patch_many: "patch_many",
  patch_anchored: "patch_anchored",
  save: "write_file",
  append: "append_file",
};

/** Whether a case is one of the edit tools; the others are of the shell's classifier. */
export function isEditCase({ tool }: BehaviourCase): boolean {
  return Object.hasOwn(TOOLS, tool);
}

/** The reasons that a case's word allows; `isError` where the call cannot be done at all. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  not_found: ["not_found"],
  no_change: ["no_change"],
  overlap: ["overlap"],
  placeholder: ["placeholder"],
  stale_anchor: ["stale_anchor"],
  guard_failed: ["guard_failed"],
  duplicate_anchor: ["duplicate_anchor"],
  not_unique: ["ambiguous"],
  empty_original: ["empty_old", "malformed"],
  extra_divider: ["malformed"],
  invalid_format: ["malformed"],
  missing_end_marker: ["malformed"],
  placeholder_mismatch: ["placeholder"],
  // Of the text form, which is read before there is a call.
  count_mismatch: ["isError"],
  not_text: ["binary", "encoding"],
  not_a_file: ["not_a_file"],
  path_escape: ["denied"],
  outside_workspace: ["denied"],
  empty_patch: ["isError"],
  empty_text: ["isError"],
  empty_ops: ["isError"],
  bad_op: ["isError"],
  bad_json: ["isError"],
  no_path: ["isError"],
  write_failed: ["isError"],
};

/** Plays a case of `edit-a` through its tool; resolves to what is wrong, or undefined. */
export async function playEdit(one: EditCase): Promise<string | undefined> {
  const path = one.patch?.match(/^\*\*\* Update File: (.*)$/m)?.[1] ?? "f.txt";
  await using dir = await tempDir({ [path]: one.file });
  const [name, args] = callOf(one, path);
  const outcome = await call(name, args, filesIn(dir.path));
  const text = await readText(dir.join(path));
  const got = outcomeOf(outcome);
  if (!one.expect.ok) {
    if (text !== one.file) return `the file changed instead of ${one.expect.reason}`;
    return got === one.expect.reason ? markerProblem(outcome) : `${got}, not ${one.expect.reason}`;
  }
  if (got !== "ok") return `refused: ${outcome.text}`;
  return text === one.expect.result ? undefined : `the file is ${JSON.stringify(text)}`;
}

function callOf(one: EditCase, path: string): [name: string, args: unknown] {
  switch (one.format) {
    case "search_replace":
      return ["edit_file", {
        path,
        old_string: one.old,
        new_string: one.new,
        ...(one.replace_all === undefined ? {} : { replace_all: one.replace_all }),
      }];
    case "conflict_patch":
      return ["patch", { path, patch: one.patch }];
    case "codex_patch":
      return ["patch_many", { patch: one.patch }];
  }
}

/** Plays a case of `behaviour-a` through its tool; resolves to what is wrong, or undefined. */
export async function playBehaviour(one: BehaviourCase): Promise<string | undefined> {
  await using dir = await tempDir({ "w/": "" });
  const root = dir.path;
  const workspace = dir.join("w");
  await setUp(one, root, workspace);
  const before = await snapshot(root);
  const files = failing(filesIn(workspace), one.given.fail_write ?? []);
  const outcome = await callOfCase(one, root, files);
  const got = outcomeOf(outcome);
  const { expect } = one;
  const after = await snapshot(root);
  if (!expect.ok) {
    if (got === "ok") return `landed instead of ${expect.error_kind}`;
    if (JSON.stringify(before) !== JSON.stringify(after)) return "refused, but the disk changed";
    const allowed = REASONS[expect.error_kind ?? ""] ?? [];
    return allowed.includes(got) ? markerProblem(outcome) : `${got}: ${outcome.text}`;
  }
  if (got !== "ok") return `refused: ${outcome.text}`;
  const wanted = expect.file === undefined ? expect.files ?? {} : { [one.do.path]: expect.file };
  for (const [path, text] of Object.entries(wanted)) {
    const found = await readText(join(workspace, path));
    if (found !== text) return `${path} is ${JSON.stringify(found)}`;
  }
  const hint = "hint" in outcome.value;
  return expect.hint === undefined || expect.hint === hint ? undefined : `hint: ${hint}`;
}

async function setUp({ given, do: action }: BehaviourCase, root: string, workspace: string) {
  const { file, file_base64: base64, files = {}, outside = {}, symlinks = {} } = given;
  const bytes = base64 === undefined ? undefined : Uint8Array.fromBase64(base64);
  const content = bytes ?? (file === undefined ? undefined : new TextEncoder().encode(file));
  if (content) await put(join(workspace, action.path), content);
  for (const [path, text] of Object.entries(files)) {
    await put(join(workspace, path), new TextEncoder().encode(text));
  }
  for (const [path, text] of Object.entries(outside)) {
    await put(join(root, path), new TextEncoder().encode(text));
  }
  for (const [path, target] of Object.entries(symlinks)) {
    await Deno.symlink(target, join(workspace, path));
  }
}

async function put(path: string, bytes: Uint8Array): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeFile(path, bytes);
}

async function callOfCase(
  one: BehaviourCase,
  root: string,
  files: WriteFiles,
): Promise<Outcome> {
  const name = TOOLS[one.tool] ?? "";
  const { body, paths = [] } = one.do;
  if (body === undefined) return await call(name, argumentsOf(one, root), files);
  const read = readPatches(body, paths);
  return read.ok
    ? await call(name, read.args, files)
    : { isError: true, value: { problem: read.problem }, text: read.problem };
}

function argumentsOf({ tool, given, do: action }: BehaviourCase, root: string): unknown {
  const path = action.path?.replace("<OUTSIDE>", root);
  switch (tool) {
    case "patch":
      return { path, patch: action.patch };
    case "patch_many":
      return { patches: action.patches };
    case "save":
    case "append":
      return { path, content: action.content };
    default: {
      // The byte order mark is no part of the text.
      const view = anchorsOf((given.viewed ?? given.file ?? "").replace(/^\uFEFF/, ""));
      const operations = action.ops?.map(({ anchor_of_line: line, ...operation }) => ({
        ...(typeof line === "number" ? { anchor: view[line - 1]?.anchor } : {}),
        ...operation,
      }));
      return { path, operations: action.ops_text ?? operations };
    }
  }
}

/** The files of a folder whose named members cannot be written, as on a full disk. */
function failing(files: WriteFiles, names: readonly string[]): WriteFiles {
  return {
    ...files,
    replace(path, expected, splices) {
      if (!names.includes(basename(path))) return files.replace(path, expected, splices);
      return Promise.reject(new Error(`Cannot write "${path}": no space left on device`));
    },
  };
}

async function call(name: string, args: unknown, files: WriteFiles): Promise<Outcome> {
  const tool = editTools({ recovery: "place" }).find((tool) => tool.name === name);
  if (!tool) throw new RangeError(`no tool ${name}`);
  return await runTool(tool, args, { files });
}

/** "ok", a refusal's reason, or "isError". */
function outcomeOf({ isError, value }: Outcome): string {
  if (isError) return "isError";
  return value.ok === true ? "ok" : String(value.reason);
}

/** A refusal's text ends with its marker. */
function markerProblem({ isError, value, text }: Outcome): string | undefined {
  if (isError || text.endsWith(`\n[not edited: ${value.reason}]`)) return undefined;
  return `no marker at the end: ${text}`;
}

async function readText(path: string): Promise<string> {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await Deno.readFile(path));
}
