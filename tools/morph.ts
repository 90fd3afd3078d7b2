import * as z from "zod";
import { unifiedDiff } from "../edit/diff.ts";
import { type Merge, verifyMerge } from "../edit/morph.ts";
import type { ReadFiles } from "../sandbox/files/files.ts";
import {
  asPlan,
  type Edit,
  mustBePlanned,
  type PlannedEdit,
  workOut,
  writeEdit,
} from "./apply_edit.ts";
import { edited, type NotEdited, notEdited, notEditedValue, renderEdited } from "./edit_result.ts";
import { explainRefusal } from "./explain_refusal.ts";
import { schema } from "./schema.ts";
import { readTextFile } from "./text_file.ts";
import { type ApplyModel, defineTool, type Plan, text } from "./tool.ts";

/** Longer files are not sent, in UTF-16 units: apply models answer with the whole file. */
const MAX_LENGTH = 400_000;

/** Lines of the diff that a refusal shows. */
const MAX_DIFF_LINES = 30;

const parameters = z.strictObject({
  path: z.string().min(1),
  update: z.string().min(1),
  instructions: z.string().describe("One sentence on what changes").optional(),
});

type Arguments = z.infer<typeof parameters>;

/** A merge that was asked for, and what came of it. */
interface Merged {
  /** As the model gave it; empty where it was not asked. */
  readonly text: string;
  readonly edit: PlannedEdit<Merge> | NotEdited;
}

export const morph = defineTool({
  name: "morph",
  description:
    "Change scattered places of a large file: update holds the new code, with // ... existing code ... for what stays; another model merges it, and the merge is checked. For small changes use edit_file or patch.",
  parameters: schema(parameters),
  needs: { read: ["workspace"], write: ["workspace"], uses: ["model"] },
  plan: (args, { files, model }) => planMerge(args, files, model),
  run(args, { files }, { prepared }) {
    const { text, edit } = mustBePlanned(prepared);
    return writeEdit(files, editOf(args, text), edit);
  },
  result: schema(z.union([edited, notEdited])),
  render: (value) => [text(renderEdited(value))],
});

/** Asks the apply model while planning, so that what a person allows is what will be written. */
async function planMerge(
  args: Arguments,
  files: ReadFiles,
  model: ApplyModel,
): Promise<Plan<Merged>> {
  const { path } = args;
  const file = await readTextFile(files, path);
  if (!file.ok) return withMerged(path, file, "");
  if (file.text.length > MAX_LENGTH) {
    const message =
      `${path} is longer than the ${MAX_LENGTH} characters that morph takes: use patch`;
    return withMerged(path, notEditedValue({ ok: false, reason: "too_large", path, message }), "");
  }
  const merged = await model.complete(promptOf(args, file.text));
  return withMerged(path, workOut(file, editOf(args, merged)), merged);
}

function withMerged(
  path: string,
  edit: PlannedEdit<Merge> | NotEdited,
  merged: string,
): Plan<Merged> {
  return { ...asPlan(path, edit), prepared: { text: merged, edit } };
}

/** The request as Morph's apply models want it. */
function promptOf({ instructions, update }: Arguments, code: string): string {
  const instruction = instructions ? `<instruction>${instructions}</instruction>\n` : "";
  return `${instruction}<code>${code}</code>\n<update>${update}</update>`;
}

function editOf({ path, update }: Arguments, merged: string): Edit<Merge> {
  return {
    path,
    apply: (source) => verifyMerge({ original: source.text, update, merged }),
    explain(shown, source, refusal) {
      const view = { form: "edit", recovery: "none" } as const;
      const refused = explainRefusal(shown, source, refusal, view);
      const diff = shortDiff(shown, source.text, merged);
      return { ...refused, message: `${refused.message}\nThe merge would have been:\n${diff}` };
    },
    describe: (shown, { text, changes }, { before }) => ({
      count: changes.length,
      message: `Edited ${shown} by a merge:\n${shortDiff(shown, before, text)}`,
    }),
  };
}

function shortDiff(path: string, old: string, fresh: string): string {
  const lines = unifiedDiff(path, old, fresh).trimEnd().split("\n");
  const left = lines.length - MAX_DIFF_LINES;
  return left <= 0
    ? lines.join("\n")
    : [...lines.slice(0, MAX_DIFF_LINES), `… ${left} more lines`].join("\n");
}
