import { deepStrictEqual, ok } from "node:assert/strict";
import { type AnchorOperation, patchAnchored } from "../../edit/anchor_patch.ts";
import { viewAnchored } from "../../edit/anchors.ts";
import { parseHunks } from "../../edit/hunk_grammar.ts";
import { applyHunks, sizeHint } from "../../edit/hunks.ts";
import { type FileHunks, parseBody, parseList } from "../../edit/many.ts";
import { isRefusal } from "../../edit/refusal.ts";
import { planAppend, planWrite } from "../../edit/save.ts";
import { decodeText, encodeText } from "../../edit/text.ts";
import { readCases } from "./cases.ts";

interface BehaviourCase {
  readonly id: string;
  readonly tool: string;
  readonly given: {
    readonly file?: string;
    readonly file_base64?: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly viewed?: string;
  };
  readonly do: {
    readonly path: string;
    readonly patch?: string;
    readonly content?: string;
    readonly patches?: readonly { path: string; patch: string }[];
    readonly body?: string;
    readonly paths?: readonly string[];
    readonly ops?: readonly (AnchorOperation & { anchor_of_line?: number })[];
  };
  readonly expect: {
    readonly ok: boolean;
    readonly file?: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly hint?: boolean;
    readonly error_kind?: string;
  };
}

/** The cases' names of refusals, and the engine's. */
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
  count_mismatch: ["malformed"],
  empty_patch: ["malformed"],
  empty_text: ["malformed"],
  placeholder_mismatch: ["placeholder"],
  not_text: ["binary", "encoding"],
};

/** What only the file layer or the parsing of arguments can answer; the tools' tests run these. */
const ELSEWHERE = new Set([
  "path_escape",
  "outside_workspace",
  "no_path",
  "write_failed",
  "empty_ops",
  "bad_op",
  "bad_json",
]);

type Outcome =
  | { readonly ok: false; readonly reason: string }
  | { readonly ok: true; readonly files: Record<string, string>; readonly hint: boolean };

function runCase(one: BehaviourCase): Outcome {
  const { path } = one.do;
  const bytes = one.given.file_base64 === undefined
    ? new TextEncoder().encode(one.given.file ?? one.given.files?.["real.txt"] ?? "")
    : Uint8Array.fromBase64(one.given.file_base64);
  const file = decodeText(bytes);
  if (!file.ok) return file;
  const exists = one.given.file !== undefined;
  switch (one.tool) {
    case "patch":
      return runPatch(path, one.do.patch ?? "", file.text, file.bom);
    case "patch_many":
      return runMany(one);
    case "patch_anchored":
      return runAnchored(one, file.text);
    case "save":
    case "append": {
      const plan = one.tool === "save" ? planWrite : planAppend;
      const saved = plan(exists ? file.text : undefined, one.do.content ?? "");
      return saved.ok ? done({ [path]: saved.text }, saved.hint !== undefined) : saved;
    }
    default:
      throw new RangeError(`no runner for ${one.tool}`);
  }
}

function done(files: Record<string, string>, hint = false): Outcome {
  return { ok: true, files, hint };
}

function runPatch(path: string, patch: string, text: string, bom: boolean): Outcome {
  const hunks = parseHunks(patch);
  const answer = isRefusal(hunks) ? hunks : applyHunks(text, hunks);
  if (!answer.ok) return answer;
  const written = new TextDecoder().decode(encodeText(answer.text, bom));
  return done({ [path]: written }, sizeHint(patch, answer.text) !== undefined);
}

function runMany({ do: call, given }: BehaviourCase): Outcome {
  const files: readonly FileHunks[] | ReturnType<typeof parseList> = call.body === undefined
    ? parseList(call.patches ?? [])
    : parseBody(call.body, call.paths);
  if (isRefusal(files)) return files;
  const result: Record<string, string> = { ...given.files };
  for (const { path, hunks } of files) {
    const answer = applyHunks(given.files?.[path] ?? "", hunks);
    if (!answer.ok) return answer;
    result[path] = answer.text;
  }
  return done(result);
}

function runAnchored({ do: call, given }: BehaviourCase, text: string): Outcome {
  const view = viewAnchored(given.viewed ?? text);
  const operations = (call.ops ?? []).map(({ anchor_of_line: line, ...operation }) => ({
    ...operation,
    anchor: line === undefined ? operation.anchor : view[line - 1]?.anchor ?? "",
  }));
  const answer = patchAnchored(text, operations);
  return answer.ok ? done({ [call.path]: answer.text }) : answer;
}

function check(one: BehaviourCase, outcome: Outcome): void {
  const { expect } = one;
  if (!outcome.ok) {
    ok(!expect.ok, `refused as ${outcome.reason}`);
    const allowed = REASONS[expect.error_kind ?? ""] ?? [];
    ok(allowed.includes(outcome.reason), `${outcome.reason} instead of ${expect.error_kind}`);
    return;
  }
  ok(expect.ok, `landed instead of ${expect.error_kind}`);
  const { file, files = {} } = expect;
  const wanted = file === undefined ? files : { [one.do.path]: file };
  const alias = one.do.path === "alias.txt" ? { "real.txt": outcome.files["alias.txt"] ?? "" } : {};
  deepStrictEqual({ ...outcome.files, ...alias }, { ...outcome.files, ...alias, ...wanted });
  if (expect.hint !== undefined) deepStrictEqual(outcome.hint, expect.hint);
}

Deno.test("behaviour-a, the part of the edit engine", async (t) => {
  let run = 0;
  for (const one of await readCases<BehaviourCase>("behaviour-a")) {
    if (one.tool === "shell" || ELSEWHERE.has(one.expect.error_kind ?? "")) continue;
    run++;
    await t.step(one.id, () => check(one, runCase(one)));
  }
  ok(run > 80, `only ${run} cases fit`);
});
