import * as z from "zod";
import {
  type AnchorOperation,
  type AnchorPatch,
  type AnchorRefusal,
  patchAnchored as applyBatch,
} from "../edit/anchor_patch.ts";
import { showRows } from "./anchored_rows.ts";
import { type Edit, planEdit, writeEdit } from "./apply_edit.ts";
import { edited, notEdited, renderEdited } from "./edit_result.ts";
import { explainRefusal } from "./explain_refusal.ts";
import { schema } from "./schema.ts";
import { defineTool, text } from "./tool.ts";

const operation = z.strictObject({
  anchor: z.string().min(1),
  op: z.enum(["replace", "delete", "insert_before", "insert_after"]),
  text: z.string().optional(),
  expected: z.string().describe("Refuse unless the line holds this").optional(),
}).refine(({ op, text }) => op === "delete" || (text !== undefined && text !== ""), {
  message: "text is missing or empty: use op delete, or a line break for one empty line",
});

const parameters = z.strictObject({
  path: z.string().min(1),
  operations: z.array(operation).min(1),
});

export const patchAnchored = defineTool({
  name: "patch_anchored",
  description:
    "Change lines by the anchors of view_anchored, all operations or none, one for each anchor; text may be several lines. The answer has fresh anchors around the changes.",
  parameters: schema(parameters),
  needs: { read: ["workspace"], write: ["workspace"] },
  plan: (args, { files }) => planEdit(files, editOf(args)),
  run: (args, { files }, { prepared }) => writeEdit(files, editOf(args), prepared),
  result: schema(z.union([edited, notEdited])),
  render: (value) => [text(renderEdited(value))],
});

function editOf(
  { path, operations }: z.infer<typeof parameters>,
): Edit<AnchorPatch, AnchorRefusal> {
  return {
    path,
    apply: (source) => applyBatch(source.text, operations.map(asOperation)),
    explain(shown, source, refusal) {
      const view = { form: "patch", recovery: "none" } as const;
      const refused = explainRefusal(shown, source, refusal, view);
      const rows = refusal.rows.length === 0
        ? ""
        : `\nThe lines with fresh anchors:\n${showRows(refusal.rows)}`;
      return { ...refused, message: refused.message + rows };
    },
    describe: (shown, { rows }) => ({
      count: operations.length,
      message: rows.length === 0
        ? `Edited ${shown}: it is empty now.`
        : `Edited ${shown}, fresh anchors:\n${showRows(rows)}`,
    }),
  };
}

function asOperation({ anchor, op, text, expected }: z.infer<typeof operation>): AnchorOperation {
  return {
    anchor,
    op,
    ...(text === undefined ? {} : { text }),
    ...(expected === undefined ? {} : { expected }),
  };
}
