import * as z from "zod";
import { isRefusal } from "../edit/refusal.ts";
import { Source } from "../edit/source.ts";
import type { ReadFiles, WriteFiles } from "../sandbox/files/files.ts";
import { isSameEdit, mustBePlanned, stale } from "./apply_edit.ts";
import { commitChanges } from "./commit_changes.ts";
import { describeChanges, diffOf, type ManyEdited, manyEdited } from "./describe_changes.ts";
import { type NotEdited, notEdited, renderNotEdited } from "./edit_result.ts";
import { explainRefusal, type Recovery } from "./explain_refusal.ts";
import { type FileChange, type FileChanges, workOutChanges } from "./file_changes.ts";
import { type ManyArguments, readRequests } from "./file_requests.ts";
import { schema } from "./schema.ts";
import { defineTool, type Journal, type Plan, text } from "./tool.ts";

const parameters = z.strictObject({
  patches: z.array(z.strictObject({ path: z.string().min(1), patch: z.string() })).min(1)
    .optional(),
  patch: z.string().optional(),
}).refine(({ patches, patch }) => (patches === undefined) !== (patch === undefined), {
  message: "give either patches or patch",
});

/** How often a call is worked out anew because its files changed meanwhile in other places. */
const ATTEMPTS = 10;

/**
 * Changes several files: all of them or none. Crash-safe with a journal in the state folder;
 * without one a process that dies in the middle leaves a mix.
 */
export function patchManyTool({ recovery }: { readonly recovery: Recovery }) {
  return defineTool({
    name: "patch_many",
    description:
      "Change several files, all or none: patches (each as in patch), or one codex patch, which can also add, delete and move:\n*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@ function f() {\n context\n-old\n+new\n*** Add File: c.ts\n+text\n*** End Patch",
    parameters: schema(parameters),
    needs: { read: ["workspace"], write: ["workspace"], uses: ["journal"] },
    plan: async (args, { files }) => asPlan(await workOut(files, args, recovery)),
    run: (args, { files, journal }, { prepared }) =>
      runMany(args, { files, journal, recovery }, mustBePlanned(prepared)),
    result: schema(z.union([manyEdited, notEdited])),
    render: (value) => [text(value.ok ? value.message : renderNotEdited(value))],
  });
}

function asPlan(prepared: FileChanges | NotEdited): Plan<FileChanges | NotEdited> {
  if (!prepared.ok) {
    const { path } = prepared;
    return { touches: path === "" ? [] : [{ kind: "read", path }], prepared };
  }
  const { changes } = prepared;
  return {
    touches: changes.map(({ shown }) => ({ kind: "write", path: shown })),
    get preview() {
      return diffOf(changes);
    },
    prepared,
  };
}

async function workOut(
  files: ReadFiles,
  args: ManyArguments,
  recovery: Recovery,
): Promise<FileChanges | NotEdited> {
  const requests = readRequests(args);
  if (isRefusal(requests)) {
    const form = args.patch === undefined ? "patch" : "codex";
    // A text that cannot be read names no file.
    const path = requests.path ?? "";
    return explainRefusal(path, new Source(""), requests, { form, recovery: "none" });
  }
  const worked = await workOutChanges(files, requests, recovery);
  if (worked.ok || new Set(requests.map(({ path }) => path)).size === 1) return worked;
  return { ...worked, message: `${worked.message}\nNone of the other files was changed.` };
}

async function runMany(
  args: ManyArguments,
  parts: { files: WriteFiles; journal: Journal; recovery: Recovery },
  planned: FileChanges | NotEdited,
): Promise<ManyEdited | NotEdited> {
  const { files, journal, recovery } = parts;
  let current = planned;
  for (let attempt = 0; attempt < ATTEMPTS && current.ok; attempt++) {
    const problem = await commitChanges(files, journal, current.changes);
    if (problem === undefined) return describeChanges(current.changes);
    if (problem.kind === "refused") return problem.refusal;
    const now = await workOut(files, args, recovery);
    current = now.ok && isSame(current.changes, now.changes) ? now : stale(problem.refusal.path);
  }
  return current.ok ? stale(describeChanges(current.changes).path) : current;
}

/** Whether every change is still the one that was planned: of the same content, or by the same edit. */
function isSame(planned: readonly FileChange[], now: readonly FileChange[]): boolean {
  return planned.length === now.length && planned.every((change, index) => {
    const other = now[index];
    if (other?.path !== change.path) return false;
    if (change.edit && other.edit) return isSameEdit(change.edit, other.edit);
    return change.before?.version.hash === other.before?.version.hash;
  });
}
